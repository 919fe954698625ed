package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** What a statement on a lease answers: a verdict, and the lease as it stands if the verdict speaks of one. */
record LeaseRow(
        String verdict,
        @Nullable String owner,
        @Nullable Long token,
        @Nullable Long ttlMs,
        @Nullable Instant grantedAt,
        @Nullable Instant expiresAt,
        @Nullable Long remainingMicros) {

    Lease lease(LeaseKey key) {
        return new Lease(
                key,
                new Fence(requireNonNull(owner), requireNonNull(token)),
                Duration.ofMillis(requireNonNull(ttlMs)),
                requireNonNull(grantedAt),
                requireNonNull(expiresAt),
                remaining());
    }

    Duration remaining() {
        return Duration.of(requireNonNull(remainingMicros), ChronoUnit.MICROS);
    }

    /** The reason in a verdict such as {@code LOST_EXPIRED}. */
    static Loss loss(String verdict) {
        return Loss.valueOf(verdict.substring("LOST_".length()));
    }
}
