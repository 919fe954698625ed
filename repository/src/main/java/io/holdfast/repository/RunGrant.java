package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.RunHead;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a statement that opens or claims a run answers: a verdict, the run's head, and its lease as it stands. */
record RunGrant(
        String verdict,
        @Nullable String definitionDigest,
        @Nullable Long journalVersion,
        @Nullable String status,
        @Nullable Long revision,
        @Nullable Long events,
        @Nullable Instant updatedAt,
        @Nullable String owner,
        @Nullable Long token,
        @Nullable Long ttlMs,
        @Nullable Instant grantedAt,
        @Nullable Instant expiresAt,
        @Nullable Long remainingMicros) {

    RunHead head(String id) {
        return new RunHead(
                id,
                Wire.runStatus(id, status),
                requireNonNull(revision),
                requireNonNull(events),
                requireNonNull(updatedAt));
    }

    Lease lease(String id) {
        return leaseRow().lease(LeaseKey.ofRun(id));
    }

    Duration remaining() {
        return leaseRow().remaining();
    }

    private LeaseRow leaseRow() {
        return new LeaseRow(verdict, owner, token, ttlMs, grantedAt, expiresAt, remainingMicros);
    }

    /** The floor of a scope that never had a lease. */
    static <T> Optional<T> layFloor(Transactions transactions, Scope scope, String operation) {
        return new JpaLeases(transactions, scope).layFloor(operation);
    }

    static void checkOwner(String owner, Duration ttl) {
        Identifier.ident("owner", owner);
        if (Given.value("ttl", ttl).compareTo(Lease.MIN_TTL) < 0 || ttl.compareTo(Lease.MAX_TTL) > 0) {
            throw new InvalidValueException("ttl", "be 1 second to 1 day");
        }
    }
}
