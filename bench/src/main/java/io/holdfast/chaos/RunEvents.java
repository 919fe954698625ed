package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.chaos.Desk.Seen;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Runs of an engine with rules of its own: a state that is written by compare-and-set together with events, and events alone.
 * The state holds the updates that made it, so that state and log can be compared.
 */
final class RunEvents implements Workload {

    /** So few that workers meet all the time. */
    private static final int SLOTS = 2;

    /** Updates of a run before the next takes its place. */
    private static final int UPDATES = 20;

    private static final String ENDED = "completed";

    private final List<Frontier> slots = Frontier.ofSlots("run", "log", SLOTS);

    @Override
    public void work(Desk desk) throws InterruptedException {
        desk.severalTimes(() -> one(desk));
    }

    private void one(Desk desk) {
        Frontier slot = slots.get(desk.random.nextInt(SLOTS));
        String id = slot.id(desk);
        Optional<Run> found = find(desk, id);
        if (found.isEmpty()) {
            desk.stores.runs().create(id, Map.of("writes", List.of()), Map.of());
            found = find(desk, id);
        }
        Run run = found.orElseThrow();
        boolean ended = run.status().equals(ENDED);
        if (desk.random.nextInt(3) == 0) {
            append(desk, run);
        } else {
            update(desk, run); // one that has ended too: it must be refused
        }
        if (ended) {
            slot.moveOn(desk);
        }
    }

    /** Shows the last of the updates that have made the state, with the number of the last event of all. */
    private static Optional<Run> find(Desk desk, String id) {
        return desk.reading(
                "find-run",
                id,
                () -> desk.stores.runs().find(id),
                found -> found.map(run -> new Seen(lastUpdate(run), run.lastSeq()))
                        .orElse(Seen.NOTHING));
    }

    private static String lastUpdate(Run run) {
        return run.state().get("writes") instanceof List<?> writes && !writes.isEmpty()
                ? String.valueOf(writes.get(writes.size() - 1))
                : Entry.NONE;
    }

    /** Sent once: a repeat would append once more. */
    private static void append(Desk desk, Run run) {
        String write = desk.nextWrite();
        List<Map<String, Object>> events = events(write, 1 + desk.random.nextInt(3));
        desk.asking(
                desk.call("append", run.id(), 0, write),
                () -> desk.stores.runs().append(run, events),
                said -> said instanceof Append.Appended appended ? Answer.done(appended.lastSeq()) : Answer.refused());
    }

    private static void update(Desk desk, Run run) {
        String write = desk.nextWrite();
        List<Object> writes = new ArrayList<>(List.of());
        if (run.state().get("writes") instanceof List<?> before) {
            writes.addAll(before);
        }
        writes.add(write);
        boolean last = writes.size() >= UPDATES;
        RunChange change = RunChange.to(last ? ENDED : "running")
                .merging(Map.of("writes", writes))
                .unless(ENDED);
        for (Map<String, Object> event : events(write, 1 + desk.random.nextInt(3))) {
            change = change.logging(event);
        }
        RunChange asked = change;
        boolean inTransaction = desk.random.nextBoolean();
        desk.insisting(
                () -> desk.call(last ? "last-update" : "run-update", run.id(), 0, write),
                () -> inTransaction
                        ? inTransaction(desk, run, asked)
                        : desk.stores.runs().update(run, asked),
                said -> said instanceof RunUpdate.Updated updated
                        ? Answer.done(updated.run().lastSeq())
                        : said instanceof RunUpdate.AlreadyApplied ? Answer.done(0) : Answer.refused());
    }

    /** Whoever comes meanwhile has to wait, and lose. */
    private static RunUpdate inTransaction(Desk desk, Run run, RunChange change) {
        return desk.holdfast.atomically(bound -> {
            RunUpdate answer = bound.in(Desk.SCOPE).runs().update(run, change);
            desk.pauseBriefly();
            return answer;
        });
    }

    /** Those of a write say which of how many they are, so that a part of them is told from the whole. */
    private static List<Map<String, Object>> events(String write, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Map.<String, Object>of("write", write, "index", (long) i, "count", (long) count))
                .toList();
    }
}
