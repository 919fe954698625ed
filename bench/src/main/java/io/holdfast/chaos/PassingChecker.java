package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.codec.Fingerprint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The rules of what lives shortly: clean-up removes nothing before its time, and a key keeps others out while it lives. */
final class PassingChecker {

    /** The clock of the server is not the monotonic one. */
    private static final long SLACK_NANOS = 50_000_000L;

    private final Map<String, Write> writes;
    private final BiConsumer<String, String> violation;

    /** By key: until when it is sure to live, as far as somebody was told. */
    private final Map<String, Life> lives = new HashMap<>();

    /** @param told when that was known */
    private record Life(long told, long end) {}

    PassingChecker(Map<String, Write> writes, BiConsumer<String, String> violation) {
        this.writes = writes;
        this.violation = violation;
    }

    /** By workflow, when it may have been closed last: what was written to it before may have been removed with it. */
    static Map<String, Long> closed(Map<String, Write> writes) {
        Map<String, Long> closed = new HashMap<>();
        writes.values().stream()
                .filter(write -> write.operation.equals("close-passing") && !write.refused())
                .forEach(write -> closed.merge(write.key, write.began(), Math::max));
        return closed;
    }

    /** @param history in the order of its times */
    void check(List<Entry> history) {
        Map<String, Entry> calls = new HashMap<>();
        Map<String, Set<String>> outcomes = outcomes();
        for (Entry entry : history) {
            if (!entry.key().startsWith(PassingWork.PREFIX)) {
                continue;
            }
            String id = entry.who() + "#" + entry.call();
            if (entry.isCall()) {
                calls.put(id, entry);
                continue;
            }
            Entry call = calls.remove(id);
            if (call == null) {
                continue;
            }
            boolean anew = entry.answer().equals(Answer.ANEW);
            if (anew) {
                Life life = lives.get(entry.key());
                if (life != null && call.at() > life.told() && entry.at() < life.end() - SLACK_NANOS) {
                    violation.accept(
                            "forgotten",
                            entry.key() + " was reserved anew by " + entry.who() + " "
                                    + (life.end() - entry.at()) / 1_000_000 + " ms before its time was over");
                }
            }
            if (anew
                    || (entry.operation().equals("complete-passing")
                            && entry.answer().equals(Answer.DONE))) {
                Life life = new Life(entry.at(), call.at() + PassingWork.KEPT.toNanos());
                lives.merge(entry.key(), life, (one, other) -> one.end() > other.end() ? one : other);
            }
            if (entry.word().equals(Answer.COMPLETED)
                    && !outcomes.getOrDefault(entry.key(), Set.of()).contains(entry.detail())) {
                violation.accept("unasked", entry.key() + " was said to have an outcome that nobody sent");
            }
        }
    }

    /** What may have become the outcome of a key. */
    private Map<String, Set<String>> outcomes() {
        Map<String, Set<String>> outcomes = new HashMap<>();
        for (Write write : writes.values()) {
            if (write.operation.equals("complete-passing") && !write.refused()) {
                outcomes.computeIfAbsent(write.key, key -> new HashSet<>()).add(Fingerprint.ofText(write.id));
            }
        }
        return outcomes;
    }
}
