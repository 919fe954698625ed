package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** What workers were told at all: nothing but what a fault is a reason for, and seldom that nobody knows. */
final class Answers {

    /** Of an operation, besides a third of its answers. A fault strikes each second or two, and most are of the network. */
    private static final int FEW = 5;

    private Answers() {}

    static void check(List<Entry> history, BiConsumer<String, String> violation) {
        Map<String, Integer> answers = new TreeMap<>();
        Map<String, Integer> unknown = new TreeMap<>();
        for (Entry entry : history) {
            if (entry.isCall()) {
                continue;
            }
            answers.merge(entry.operation(), 1, Integer::sum);
            if (entry.word().equals(Answer.UNEXPECTED)) {
                violation.accept(
                        "unexpected",
                        entry.operation() + " on " + entry.key() + " by " + entry.who() + " ended with "
                                + entry.detail());
            } else if (entry.word().equals(Answer.UNKNOWN)) {
                unknown.merge(entry.operation(), 1, Integer::sum);
            }
        }
        unknown.forEach((operation, count) -> {
            int all = answers.getOrDefault(operation, 0);
            if (count > FEW + all / 3) {
                violation.accept("unknown", operation + " had an unknown outcome " + count + " times of " + all);
            }
        });
    }
}
