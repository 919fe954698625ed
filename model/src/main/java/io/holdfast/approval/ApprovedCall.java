package io.holdfast.approval;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.EffectClass;
import java.util.Optional;

/**
 * A call that is about to be made under an approval, and what the journal is to say of it: the step's intent, whose payload
 * digest is the approval's, and one effect, its first, that is on its way.
 *
 * @param use of the approval, by the step that makes the call
 * @param effectClass whether it may be made again; not {@code PURE}, which has no effect
 * @param idempotencyKey under which the call goes out, in its scope never used for another effect; 1 to 255 bytes of UTF-8
 *     without control characters. Empty: the one that is made of the effect's id
 */
public record ApprovedCall(ApprovalUse use, EffectClass effectClass, Optional<String> idempotencyKey) {

    /** The longest idempotency key, in bytes of UTF-8. */
    public static final int MAX_KEY_BYTES = 255;

    public ApprovedCall {
        Given.value("use", use);
        if (Given.value("effectClass", effectClass) == EffectClass.PURE) {
            throw new InvalidValueException("effectClass", "not be pure: a pure step has no effect");
        }
        Given.value("idempotencyKey", idempotencyKey)
                .ifPresent(key -> Identifier.text("idempotencyKey", key, 1, MAX_KEY_BYTES));
    }

    /** Under the key that is made of the effect's id. */
    public static ApprovedCall of(ApprovalUse use, EffectClass effectClass) {
        return new ApprovedCall(use, effectClass, Optional.empty());
    }
}
