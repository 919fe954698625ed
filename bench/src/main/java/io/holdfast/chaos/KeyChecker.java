package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.codec.Fingerprint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The rules of idempotency keys: one outcome, that of who was told so; and a step's is there if and only if the step is. */
final class KeyChecker {

    private static final Set<String> STEPS = Set.of("step", "finish");

    private final Map<String, Write> writes;
    private final Stored stored;
    private final BiConsumer<String, String> violation;

    KeyChecker(Map<String, Write> writes, Stored stored, BiConsumer<String, String> violation) {
        this.writes = writes;
        this.stored = stored;
        this.violation = violation;
    }

    void check(List<Entry> history) {
        lookAtAnswers();
        lookAtSteps();
        lookAtOutcomes();
        for (Entry entry : history) {
            if (entry.word().equals(Answer.COMPLETED)
                    && !entry.key().startsWith(PassingWork.PREFIX)
                    && !entry.detail().equals(stored.outcomes().get(entry.key()))) {
                violation.accept("changed", entry.key() + " was said to be completed with another outcome than it has");
            }
        }
    }

    private void lookAtAnswers() {
        Map<String, List<Write>> completed = new TreeMap<>();
        for (Write write : writes.values()) {
            if (write.operation.equals("complete") && write.refused() && isOutcome(write.key, write)) {
                violation.accept("refused", write + " was refused and is the outcome");
            } else if (write.acknowledged() && isStep(write)) {
                completed
                        .computeIfAbsent(stepKey(write, write.number()), key -> new ArrayList<>())
                        .add(write);
            } else if (write.acknowledged() && write.operation.equals("complete")) {
                completed.computeIfAbsent(write.key, key -> new ArrayList<>()).add(write);
            }
        }
        completed.forEach((key, by) -> {
            if (by.size() > 1) {
                violation.accept("twice", key + " was completed by " + by);
            }
            if (by.stream().noneMatch(write -> isOutcome(key, write))) {
                violation.accept("lost", key + " was completed by " + by.get(0) + " and has another outcome, or none");
            }
        });
    }

    /** Whoever was told what became of it: where the state has the step, its key has the step's outcome. */
    private void lookAtSteps() {
        stored.logs()
                .forEach((workflow, log) -> log.lines().forEach(line -> {
                    Write write = writes.get(line.write());
                    if (write != null
                            && isStep(write)
                            && !write.acknowledged()
                            && !isOutcome(stepKey(write, line.to()), write)) {
                        violation.accept(
                                "apart",
                                write + " is number " + line.to() + ", and " + stepKey(write, line.to())
                                        + " has another outcome, or none");
                    }
                }));
    }

    /** And where a key has an outcome, the state has the step. */
    private void lookAtOutcomes() {
        Map<String, Write> byOutcome = new HashMap<>();
        writes.values().stream()
                .filter(write -> isStep(write) || write.operation.equals("complete"))
                .forEach(write -> byOutcome.put(Fingerprint.ofText(write.id), write));
        stored.outcomes().forEach((key, outcome) -> {
            Write write = byOutcome.get(outcome);
            if (write == null) {
                violation.accept("unasked", key + " has an outcome that nobody sent");
            } else if (isStep(write)) {
                Log log = stored.logs().getOrDefault(write.key, new Log(0, List.of(), 0));
                String expected = log.find(write.id)
                        .map(line -> stepKey(write, line.to()))
                        .orElse("");
                if (!key.equals(expected)) {
                    violation.accept(
                            "apart",
                            key + " is completed by " + write
                                    + (expected.isEmpty() ? ", which is not there" : ", which is that of " + expected));
                }
            } else if (!key.equals(write.key)) {
                violation.accept("unasked", key + " is completed by " + write);
            }
        });
    }

    private static boolean isStep(Write write) {
        return STEPS.contains(write.operation);
    }

    /** The key of the step that led to this number. */
    private static String stepKey(Write write, long number) {
        return write.key + ":" + (number - 1);
    }

    private boolean isOutcome(String key, Write write) {
        return Fingerprint.ofText(write.id).equals(stored.outcomes().get(key));
    }
}
