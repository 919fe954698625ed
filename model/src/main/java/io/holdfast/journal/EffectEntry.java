package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.InvalidValueException;
import java.util.Optional;

/**
 * What a commit says about an effect of a step that has an intent. A new one is pending; a pending one becomes confirmed or
 * indeterminate; nothing else is ever said of it here.
 *
 * @param step the step
 * @param index which of its effects, from 0 to {@link EffectId#MAX_INDEX}
 * @param status pending, confirmed or indeterminate
 * @param idempotencyKey of a pending one, the key under which it is sent, unique in the scope across all runs: 1 to 255 bytes
 *     of UTF-8 without control characters; empty for the others
 * @param result of a confirmed one, what it came to: JSON of at most {@link JournalCommit#MAX_OUTPUT_BYTES}
 */
public record EffectEntry(
        StepKey step, int index, EffectStatus status, Optional<String> idempotencyKey, Optional<String> result) {

    public EffectEntry {
        Given.value("step", step);
        if (index < 0 || index > EffectId.MAX_INDEX) {
            throw new InvalidValueException("index", "be 0 to " + EffectId.MAX_INDEX);
        }
        if (Given.value("status", status) == EffectStatus.RESOLVED) {
            throw new InvalidValueException(
                    "status", "be pending, confirmed or indeterminate: resolving is another call");
        }
        Given.value("idempotencyKey", idempotencyKey)
                .ifPresent(key -> Identifier.text("idempotencyKey", key, 1, Intent.MAX_KEY_BYTES));
        if (idempotencyKey.isPresent() != (status == EffectStatus.PENDING)) {
            throw new InvalidValueException("idempotencyKey", "be that of a pending effect, and only of one");
        }
        Given.value("result", result).ifPresent(json -> JsonText.read("result", json, JournalCommit.MAX_OUTPUT_BYTES));
        if (result.isPresent() && status != EffectStatus.CONFIRMED) {
            throw new InvalidValueException("result", "be that of a confirmed effect");
        }
    }

    /** One that is sent, or about to be. */
    public static EffectEntry pending(StepKey step, int index, String idempotencyKey) {
        return new EffectEntry(
                step,
                index,
                EffectStatus.PENDING,
                Optional.of(Given.value("idempotencyKey", idempotencyKey)),
                Optional.empty());
    }

    /** One that is known to have happened, with what it came to. */
    public static EffectEntry confirmed(StepKey step, int index, String result) {
        return new EffectEntry(
                step, index, EffectStatus.CONFIRMED, Optional.empty(), Optional.of(Given.value("result", result)));
    }

    /** One that is known to have happened. */
    public static EffectEntry confirmed(StepKey step, int index) {
        return new EffectEntry(step, index, EffectStatus.CONFIRMED, Optional.empty(), Optional.empty());
    }

    /** One of which nobody knows. */
    public static EffectEntry indeterminate(StepKey step, int index) {
        return new EffectEntry(step, index, EffectStatus.INDETERMINATE, Optional.empty(), Optional.empty());
    }

    /** The effect and its status, not the result. */
    @Override
    public String toString() {
        return step + " " + index + " " + status;
    }
}
