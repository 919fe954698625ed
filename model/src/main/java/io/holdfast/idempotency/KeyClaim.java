package io.holdfast.idempotency;

import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;

/**
 * What a holder shows to complete a key: which key, for which workflow, and the number of its reservation. Worth keeping
 * with the work, so that a restarted worker can complete it.
 *
 * @param reservation the number of the reservation: of a new key, the microseconds of the database's clock since 1970; of a
 *     lapsed key that is reserved anew, one more than before. So a key that was removed and is reserved again has a greater
 *     number than it ever had. 1 or more
 */
public record KeyClaim(String key, String workflowId, long reservation) {

    public KeyClaim {
        Identifier.key("key", key);
        Identifier.ident("workflowId", workflowId);
        if (reservation < 1) {
            throw new InvalidValueException("reservation", "be 1 or more");
        }
    }
}
