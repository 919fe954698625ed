package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What a worker held when it was struck, and when another had it who asked for it. */
final class Handover {

    private static final Set<String> ASKING = Set.of("acquire", "open", "claim");
    private static final Set<String> RELEASING = Set.of("release", "pause", "end", "close-passing");

    /** What is looked at before a fault, and behind it. */
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(60);

    private final String worker;
    private final long struck;

    /** By key, who of the worker's threads has it and until when. */
    private final Map<String, Held> held = new HashMap<>();

    /** When another asked first. */
    private final Map<String, Long> asked = new HashMap<>();

    private OptionalLong longest = OptionalLong.empty();

    private record Held(String who, long end) {}

    private Handover(String worker, long struck) {
        this.worker = worker + ".";
        this.struck = struck;
    }

    /**
     * The longest that others had to ask for what the worker held, from when the first of them asked after the fault; empty if
     * nobody was granted such a lease, or the worker gave all of them back itself.
     *
     * @param history in the order of its times
     */
    static OptionalLong longest(List<Entry> history, String worker, long struck) {
        Handover handover = new Handover(worker, struck);
        window(history, struck).forEach(handover::read);
        return handover.longest;
    }

    private static Stream<Entry> window(List<Entry> history, long struck) {
        int from = 0;
        int to = history.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (history.get(middle).at() < struck - WINDOW) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return history.subList(from, history.size()).stream().takeWhile(entry -> entry.at() < struck + WINDOW);
    }

    private void read(Entry entry) {
        Held has = held.get(entry.key());
        boolean ofWorker = entry.who().startsWith(worker);
        if (entry.isCall()) {
            boolean asks = ASKING.contains(entry.operation());
            if (has != null && has.who().equals(entry.who()) && (asks || RELEASING.contains(entry.operation()))) {
                held.remove(entry.key());
            } else if (has != null && asks && entry.at() > struck) {
                asked.putIfAbsent(entry.key(), entry.at());
            }
            return;
        }
        boolean granted = entry.answer().equals(Answer.GRANTED);
        if (granted && has != null && !has.who().equals(entry.who())) {
            held.remove(entry.key());
            if (entry.at() > struck && has.end() > struck) {
                long waited = entry.at() - asked.getOrDefault(entry.key(), entry.at());
                longest = OptionalLong.of(Math.max(longest.orElse(0), waited));
            }
        }
        if ((granted || entry.answer().equals(Answer.RENEWED)) && ofWorker && entry.at() <= struck) {
            held.put(entry.key(), new Held(entry.who(), entry.at() + TimeUnit.MILLISECONDS.toNanos(entry.number())));
        } else if (entry.answer().equals(Answer.RENEWED)
                && has != null
                && has.who().equals(entry.who())) {
            held.remove(entry.key()); // it has survived the fault
        }
    }
}
