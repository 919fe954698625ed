package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The rule of leases of the dead: nobody is told that a lease is another's when everybody who may have it must have lost it. It is
 * looked at by who asks, so it says how long others had to wait, whatever had become of the holder.
 */
final class Holding {

    private static final Set<String> TAKING = Set.of("acquire", "open", "claim", "renew", "begin", "look");

    /** How much later than it can be explained, on a machine with little time. */
    private static final long BOUND = TimeUnit.SECONDS.toNanos(5);

    /** Within which a call without an answer gets to the server, or does not any more: longer than any fault lasts. */
    private static final long UNANSWERED = TimeUnit.SECONDS.toNanos(20);

    private static final long TTL = Desk.TTL.toNanos();

    /** Until when at most somebody has it, as far as anybody was told. */
    private final Map<String, Long> ends = new HashMap<>();

    /** Calls that have no answer yet, by key. */
    private final Map<String, Map<String, Long>> pending = new HashMap<>();

    private final BiConsumer<String, String> violation;

    Holding(BiConsumer<String, String> violation) {
        this.violation = violation;
    }

    /** @param history in the order of its times */
    void check(List<Entry> history) {
        for (Entry entry : history) {
            if (!TAKING.contains(entry.operation())) {
                continue;
            }
            String call = entry.who() + "#" + entry.call();
            Map<String, Long> open = pending.computeIfAbsent(entry.key(), key -> new HashMap<>());
            if (entry.isCall()) {
                open.put(call, entry.at());
                continue;
            }
            Long began = open.remove(call);
            switch (entry.word()) {
                case Answer.GRANTED, Answer.RENEWED ->
                    ends(entry.key(), entry.at() + TTL); // that of all, a keeper's too
                case Answer.UNKNOWN, Answer.UNEXPECTED -> ends(entry.key(), entry.at() + TTL + UNANSWERED);
                case Answer.BUSY -> {
                    if (began != null) {
                        busy(entry, began, open);
                    }
                }
                default -> {}
            }
        }
    }

    private void ends(String key, long end) {
        ends.merge(key, end, Math::max);
    }

    private void busy(Entry answer, long began, Map<String, Long> open) {
        long end = Math.max(
                ends.getOrDefault(answer.key(), 0L),
                open.values().stream()
                        .mapToLong(at -> at + TTL + UNANSWERED)
                        .max()
                        .orElse(0));
        if (began > end + BOUND) {
            violation.accept(
                    "held",
                    String.format(
                            Locale.ROOT,
                            "%s was said to be another's to %s, %.1f s after the last that can have had it",
                            answer.key(),
                            answer.who(),
                            (began - end) / 1e9));
        }
    }
}
