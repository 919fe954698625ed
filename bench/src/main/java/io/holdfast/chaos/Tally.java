package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How often workers were told what, and whether that was enough for a run of which "no violation" says something. */
final class Tally {

    private static final int QUARTERS = 4;

    /** In seconds; a JVM and a server that start again take a good part of the first. */
    private static final int FREQUENT = 20;

    private static final int USUAL = 40;
    private static final int RARE = 120;

    /**
     * Within how many seconds each operation that workers make comes to something, at the least, on two processors that others
     * use too. A run of a minute is too short for some.
     */
    private static final Map<String, Integer> GUARDED = Map.ofEntries(
            Map.entry("acquire", FREQUENT),
            Map.entry("renew", USUAL),
            Map.entry("release", FREQUENT),
            Map.entry("begin", FREQUENT),
            Map.entry("finish", FREQUENT),
            Map.entry("step", FREQUENT),
            Map.entry("update", FREQUENT),
            Map.entry("run-update", FREQUENT),
            Map.entry("append", FREQUENT),
            Map.entry("save", FREQUENT),
            Map.entry("last-update", RARE));

    /** The others, which are not made when a bug is planted. */
    private static final Map<String, Integer> OTHERS = Map.ofEntries(
            Map.entry("reserve", FREQUENT),
            Map.entry("complete", USUAL),
            Map.entry("open", USUAL),
            Map.entry("claim", FREQUENT),
            Map.entry("announce", USUAL),
            Map.entry("advance", USUAL),
            Map.entry("pause", USUAL),
            Map.entry("end", USUAL),
            Map.entry("doubt", RARE),
            Map.entry("resolve", RARE),
            Map.entry("dispatch", RARE),
            Map.entry("approve", RARE),
            Map.entry("reject", RARE),
            Map.entry("withdraw", RARE),
            Map.entry("step-passing", USUAL),
            Map.entry("close-passing", RARE),
            Map.entry("complete-passing", RARE),
            Map.entry("clean-up", USUAL),
            Map.entry("look", USUAL));

    private static final Set<String> NOTHING =
            Set.of(Entry.CALL, Answer.BUSY, Answer.REFUSED, Answer.UNKNOWN, Answer.UNEXPECTED);

    private final List<Entry> history;
    private final long start;
    private final long end;

    /** @param start when all were at work; end when they were told to finish: by the clock of the history */
    Tally(List<Entry> history, long start, long end) {
        this.history = history;
        this.start = start;
        this.end = end;
    }

    /** Operations that came to nothing for so long that the run says nothing of them. */
    List<String> shortfalls(boolean planted) {
        List<String> shortfalls = new ArrayList<>();
        floors(planted).forEach((operation, seconds) -> {
            int parts = (int) Math.min(QUARTERS, TimeUnit.NANOSECONDS.toSeconds(end - start) / seconds);
            List<Long> done = done(operation, parts);
            for (int i = 0; i < parts; i++) {
                if (done.get(i) == 0) {
                    shortfalls.add(String.format(
                            Locale.ROOT,
                            "%s came to nothing from %.0f s to %.0f s",
                            operation,
                            (end - start) / 1e9 * i / parts,
                            (end - start) / 1e9 * (i + 1) / parts));
                }
            }
        });
        return shortfalls;
    }

    private static Map<String, Integer> floors(boolean planted) {
        Map<String, Integer> floors = new TreeMap<>(GUARDED);
        if (!planted) {
            floors.putAll(OTHERS);
        }
        return floors;
    }

    /** How often it came to something, in each of so many parts of the run. */
    private List<Long> done(String operation, int parts) {
        long length = (end - start) / Math.max(1, parts) + 1;
        Predicate<Entry> counts = entry -> entry.operation().equals(operation) && !NOTHING.contains(entry.word());
        Map<Long, Long> done = history.stream()
                .filter(counts)
                .filter(entry -> entry.at() >= start && entry.at() < end)
                .collect(Collectors.groupingBy(entry -> (entry.at() - start) / length, Collectors.counting()));
        return IntStream.range(0, parts)
                .mapToObj(part -> done.getOrDefault((long) part, 0L))
                .toList();
    }

    @Override
    public String toString() {
        Map<String, Map<String, Long>> answers = history.stream()
                .filter(entry -> !entry.isCall())
                .collect(Collectors.groupingBy(
                        Entry::operation,
                        TreeMap::new,
                        Collectors.groupingBy(
                                entry -> entry.word().equals(Answer.COMPLETED) ? entry.word() : entry.answer(),
                                TreeMap::new,
                                Collectors.counting())));
        return answers.entrySet().stream()
                .map(line -> String.format(
                        Locale.ROOT, "%-15s %-50s %s", line.getKey(), line.getValue(), done(line.getKey(), QUARTERS)))
                .collect(Collectors.joining(
                        "\n", String.format(Locale.ROOT, "%-66s that came to something, by quarter%n", "answers"), ""));
    }
}
