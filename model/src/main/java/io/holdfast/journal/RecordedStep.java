package io.holdfast.journal;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Optional;

/**
 * A step as it is stored.
 *
 * @param ordinal counts the run's steps in the order in which they were first written, from 1
 * @param key its name
 * @param intent what it was about to do; empty for a step that is pure and was never announced
 * @param intendedAt when that was written
 * @param outcome how it ended; empty as long as nobody knows
 * @param endedAt when that was written
 */
public record RecordedStep(
        long ordinal,
        StepKey key,
        Optional<Intent> intent,
        Optional<Instant> intendedAt,
        Optional<StepOutcome> outcome,
        Optional<Instant> endedAt) {

    public RecordedStep {
        Given.value("key", key);
        Given.value("intent", intent);
        Given.value("intendedAt", intendedAt);
        Given.value("outcome", outcome);
        Given.value("endedAt", endedAt);
    }
}
