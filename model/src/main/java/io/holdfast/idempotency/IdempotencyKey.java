package io.holdfast.idempotency;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Optional;

/**
 * A key as it is stored.
 *
 * @param claim the key, its workflow and the number of its reservation
 * @param requestId the request it was reserved for
 * @param outcome fingerprint of how it ended; empty while it is reserved
 * @param createdAt when this reservation was made, by the database's clock
 * @param updatedAt when it was last written, by the database's clock
 * @param expiresAt from when on it may lapse, by the database's clock; empty: never
 */
public record IdempotencyKey(
        KeyClaim claim,
        String requestId,
        Optional<String> outcome,
        Instant createdAt,
        Instant updatedAt,
        Optional<Instant> expiresAt) {

    public IdempotencyKey {
        Given.value("claim", claim);
        Given.value("requestId", requestId);
        Given.value("outcome", outcome);
        Given.value("createdAt", createdAt);
        Given.value("updatedAt", updatedAt);
        Given.value("expiresAt", expiresAt);
    }

    public boolean isCompleted() {
        return outcome.isPresent();
    }
}
