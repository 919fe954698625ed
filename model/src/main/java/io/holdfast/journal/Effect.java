package io.holdfast.journal;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Optional;

/**
 * An effect as it is stored.
 *
 * @param ordinal counts the run's effects in the order in which they were first written, from 1
 * @param id the same in every process
 * @param step the step it belongs to
 * @param index which of the step's effects, from 0
 * @param idempotencyKey the key under which it was sent
 * @param status what is known of it
 * @param result what it came to, as JSON
 * @param finding what somebody found out; of a resolved one, and only of one
 * @param resolvedBy who found out; of a resolved one, and only of one
 * @param createdAt when it was first written
 * @param updatedAt when its status was last written
 */
public record Effect(
        long ordinal,
        EffectId id,
        StepKey step,
        int index,
        String idempotencyKey,
        EffectStatus status,
        Optional<String> result,
        Optional<Resolution.Finding> finding,
        Optional<String> resolvedBy,
        Instant createdAt,
        Instant updatedAt) {

    public Effect {
        Given.value("id", id);
        Given.value("step", step);
        Given.value("idempotencyKey", idempotencyKey);
        Given.value("status", status);
        Given.value("result", result);
        Given.value("finding", finding);
        Given.value("resolvedBy", resolvedBy);
        Given.value("createdAt", createdAt);
        Given.value("updatedAt", updatedAt);
    }

    /** Which one, and what is known of it; not the result. */
    @Override
    public String toString() {
        return step + " " + index + " " + status;
    }
}
