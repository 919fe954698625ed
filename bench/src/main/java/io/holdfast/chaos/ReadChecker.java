package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The rule of reads: each shows what was acknowledged, or read, before it began, and nothing that is not stored. A read is
 * compared with the log of what it was of.
 */
final class ReadChecker {

    /** Of these a read counts saves, not what the journal counts. */
    private static final Set<String> PLACES = Set.of("find-checkpoint", "find-agent");

    /** Of what each read shows the last one. */
    private static final Set<String> SAVES = Set.of("advance", "pause", "end");

    private static final Set<String> UPDATES = Set.of("run-update", "last-update");

    private final Map<String, Write> writes;
    private final Stored stored;
    private final BiConsumer<String, String> violation;

    /** The highest number that anybody has heard of, by key. */
    private final Map<String, Long> known = new HashMap<>();

    ReadChecker(Map<String, Write> writes, Stored stored, BiConsumer<String, String> violation) {
        this.writes = writes;
        this.stored = stored;
        this.violation = violation;
    }

    /** @param history in the order of its times */
    void check(List<Entry> history) {
        Map<String, Long> floors = new HashMap<>();
        for (Entry entry : history) {
            String call = entry.who() + "#" + entry.call();
            if (entry.isCall()) {
                if (entry.operation().startsWith("find-")) {
                    floors.put(call, known.getOrDefault(entry.key(), 0L));
                }
            } else if (entry.answer().equals(Answer.DONE)) {
                Write write = writes.get(entry.write());
                if (write != null && write.isLogged()) {
                    known.merge(entry.key(), entry.number(), Math::max);
                }
            } else if (entry.answer().equals(Answer.FOUND)) {
                read(entry, floors.getOrDefault(call, 0L));
            }
        }
    }

    private void read(Entry read, long floor) {
        Log log = stored.logs().getOrDefault(read.key(), new Log(0, List.of(), 0));
        if (PLACES.contains(read.operation())) {
            readPlace(read, log, floor);
            return;
        }
        if (read.number() < floor) {
            old(read, floor);
        }
        String expected = switch (read.operation()) {
            case "find-run" -> last(of(log, UPDATES), read.number());
            case "find-journal" -> Entry.NONE;
            default -> last(log.lines(), read.number());
        };
        boolean there =
                read.number() < log.first() || log.lines().stream().anyMatch(line -> line.to() == read.number());
        if (!there || !read.write().equals(expected)) {
            unknown(read, expected);
        }
        known.merge(read.key(), read.number(), Math::max);
    }

    private void readPlace(Entry read, Log log, long floor) {
        List<Log.Line> saves = of(log, SAVES);
        if (read.number() == 0 && read.operation().equals("find-agent") && isOver(saves, read.at())) {
            return; // an agent that is over has none
        }
        long least = saves.stream().filter(line -> line.to() <= floor).count();
        if (read.number() < least) {
            old(read, least);
        }
        if (read.number() > saves.size()) {
            unknown(read, last(saves, Long.MAX_VALUE));
        } else if (read.number() > 0) {
            Log.Line line = saves.get((int) read.number() - 1);
            if (!line.write().equals(read.write())) {
                unknown(read, line.write());
            }
            known.merge(read.key(), line.to(), Math::max);
        }
    }

    private boolean isOver(List<Log.Line> saves, long at) {
        return saves.stream()
                .map(line -> writes.get(line.write()))
                .anyMatch(write -> write != null && write.isLast() && write.began() <= at);
    }

    private List<Log.Line> of(Log log, Set<String> operations) {
        return log.lines().stream()
                .filter(line -> {
                    Write write = writes.get(line.write());
                    return write != null && operations.contains(write.operation);
                })
                .toList();
    }

    private static String last(List<Log.Line> lines, long number) {
        return lines.stream()
                .filter(line -> line.to() <= number)
                .reduce((former, latter) -> latter)
                .map(Log.Line::write)
                .orElse(Entry.NONE);
    }

    private void old(Entry read, long floor) {
        violation.accept(
                "read",
                read.operation() + " of " + read.key() + " by " + read.who() + " showed number " + read.number()
                        + ", and " + floor + " had been heard of before it began");
    }

    private void unknown(Entry read, String expected) {
        violation.accept(
                "read",
                read.operation() + " of " + read.key() + " by " + read.who() + " showed " + read.write() + " at number "
                        + read.number() + ", where " + expected + " is stored");
    }
}
