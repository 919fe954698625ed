package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Unicode;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.LeaseKey;
import java.util.List;
import java.util.Optional;

/**
 * What a step is about to do, written down before it does it. A step has at most one, which never changes.
 *
 * @param step the step
 * @param payloadDigest digest of what will be sent: 1 to 128 bytes of UTF-8 without control characters
 * @param idempotencyKey the key under which it will be sent: 1 to 255 bytes of UTF-8 without control characters
 * @param effectClass whether it may be done again
 * @param approvalId the approval it is done under, which the step has consumed and whose digest is the payload's: 1 to 1,024
 *     bytes of UTF-8 without control characters
 * @param reservations ids of what was reserved for it, in order: at most {@value #MAX_RESERVATIONS}, each of up to 128 bytes
 */
public record Intent(
        StepKey step,
        String payloadDigest,
        String idempotencyKey,
        EffectClass effectClass,
        Optional<String> approvalId,
        List<String> reservations) {

    /** The longest idempotency key, in bytes of UTF-8. */
    public static final int MAX_KEY_BYTES = 255;

    /** The most reservations. */
    public static final int MAX_RESERVATIONS = 100;

    public Intent {
        Given.value("step", step);
        Identifier.text("payloadDigest", payloadDigest, 1, 128);
        Identifier.text("idempotencyKey", idempotencyKey, 1, MAX_KEY_BYTES);
        Given.value("effectClass", effectClass);
        Given.value("approvalId", approvalId)
                .ifPresent(id -> Identifier.text("approvalId", id, 1, LeaseKey.MAX_ID_BYTES));
        if (Given.value("reservations", reservations).size() > MAX_RESERVATIONS) {
            throw new InvalidValueException("reservations", "be at most " + MAX_RESERVATIONS);
        }
        reservations.forEach(id -> Identifier.text("reservations", id, 1, 128));
        reservations = List.copyOf(reservations);
    }

    /** One without approval and reservations. */
    public static Intent of(StepKey step, String payloadDigest, String idempotencyKey, EffectClass effectClass) {
        return new Intent(step, payloadDigest, idempotencyKey, effectClass, Optional.empty(), List.of());
    }

    /** The same under an approval. */
    public Intent under(String approval) {
        return new Intent(
                step,
                payloadDigest,
                idempotencyKey,
                effectClass,
                Optional.of(Given.value("approvalId", approval)),
                reservations);
    }

    /** The same with reservations. */
    public Intent withReservations(List<String> ids) {
        return new Intent(step, payloadDigest, idempotencyKey, effectClass, approvalId, ids);
    }

    /** How long its reservations are together, in bytes of UTF-8. */
    long reservedBytes() {
        return reservations.stream().mapToLong(Unicode::utf8Length).sum();
    }

    /** The first effect of this step, on its way under the intent's own key. */
    public EffectEntry pending() {
        return EffectEntry.pending(step, 0, idempotencyKey);
    }
}
