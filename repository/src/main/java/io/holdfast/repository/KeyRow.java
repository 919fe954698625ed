package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.failure.CorruptRecordException;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeyClaim;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a statement on an idempotency key answers: a verdict, and the key as it stands if there is one. */
record KeyRow(
        String verdict,
        @Nullable Long reservation,
        @Nullable String requestId,
        @Nullable String workflowId,
        @Nullable String outcome,
        @Nullable Instant createdAt,
        @Nullable Instant updatedAt,
        @Nullable Instant expiresAt) {

    IdempotencyKey key(String key) {
        return new IdempotencyKey(
                new KeyClaim(key, requireNonNull(workflowId), requireNonNull(reservation)),
                requireNonNull(requestId),
                Optional.ofNullable(outcome),
                requireNonNull(createdAt),
                requireNonNull(updatedAt),
                Optional.ofNullable(expiresAt));
    }

    /** Neither reserved nor completed: whether its work was done, only the release that wrote it can say. */
    static CorruptRecordException unknown(String key) {
        return new CorruptRecordException("idempotency key", key, "status must be one that this release knows");
    }
}
