package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.bench.entity.KeyRow;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Optional;

/** Idempotency keys as entities. */
final class HibernateKeys implements IdempotencyKeys {

    private final Hibernate hibernate;
    private final String scope;

    HibernateKeys(Hibernate hibernate, Scope scope) {
        this.hibernate = hibernate;
        this.scope = scope.id();
    }

    @Override
    public Reservation reserve(String key, String requestId, String workflowId, KeepFor keepFor) {
        return hibernate.transaction(
                manager -> new Reservation.New(reserved(manager, key, requestId, workflowId, keepFor)));
    }

    IdempotencyKey reserved(EntityManager manager, String key, String requestId, String workflowId, KeepFor keepFor) {
        KeyRow.Key id = new KeyRow.Key(scope, key);
        if (manager.find(KeyRow.class, id) != null) {
            throw new IllegalStateException("Reserved already");
        }
        KeyRow row = new KeyRow(id, requestId, workflowId, Contender.millis(keepFor), Instant.now());
        manager.persist(row);
        return key(key, row);
    }

    @Override
    public Completion complete(KeyClaim claim, String outcome) {
        return hibernate.transaction(manager -> new Completion.Done(completed(manager, claim, outcome)));
    }

    IdempotencyKey completed(EntityManager manager, KeyClaim claim, String outcome) {
        KeyRow row = Hibernate.locked(manager, KeyRow.class, new KeyRow.Key(scope, claim.key()));
        Answers.yes(row.isReserved(claim.workflowId(), claim.reservation()));
        row.complete(outcome, Instant.now());
        return key(claim.key(), row);
    }

    @Override
    public Optional<IdempotencyKey> find(String key) {
        return Optional.ofNullable(hibernate.find(KeyRow.class, new KeyRow.Key(scope, key)))
                .map(row -> key(key, row));
    }

    private static IdempotencyKey key(String key, KeyRow row) {
        return new IdempotencyKey(
                new KeyClaim(key, row.getWorkflowId(), row.getReservation()),
                row.getRequestId(),
                Optional.ofNullable(row.getOutcome()),
                row.getCreatedAt(),
                row.getUpdatedAt(),
                Optional.of(row.getExpiresAt()));
    }

    @Override
    public Reservation reserve(String key, String requestId, KeepFor keepFor) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Completion completeFenced(KeyClaim claim, String outcome, Fence fence) {
        throw new UnsupportedOperationException();
    }
}
