package io.holdfast.repository.model;

import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.model.ModelRows.Key;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Idempotency keys of a {@link ModelScope}. */
record ModelKeys(ModelScope scope) {

    Reservation reserve(String key, String request, String workflow, boolean anyWorkflow, KeepFor keepFor) {
        long now = scope.clock.getAsLong();
        Key stored = scope.rows.keys.get(key);
        if (stored == null || (stored.isOver(now) && !scope.rows.isKept(stored, now))) {
            return new Reservation.New(key(key, put(key, request, workflow, null, keepFor)));
        }
        Optional<Binding> difference = difference(stored, request, anyWorkflow ? stored.workflow() : workflow);
        if (difference.isPresent()) {
            return new Reservation.Conflict(difference.get(), key(key, stored));
        }
        return stored.outcome() == null
                ? new Reservation.InProgress(key(key, stored))
                : new Reservation.Completed(key(key, stored));
    }

    Optional<Binding> difference(Key stored, String request, String workflow) {
        if (!stored.request().equals(request)) {
            return Optional.of(Binding.REQUEST);
        }
        return stored.workflow().equals(workflow) ? Optional.empty() : Optional.of(Binding.WORKFLOW);
    }

    /** Another reservation of the key, new or after the one before lapsed. */
    Key put(String key, String request, String workflow, @Nullable String outcome, KeepFor keepFor) {
        long now = scope.clock.getAsLong();
        Key before = scope.rows.keys.get(key);
        Long keep = keepFor.time().map(ModelScope::micros).orElse(null);
        Key made = new Key(
                before == null ? scope.firstReservation() : before.reservation() + 1,
                request,
                workflow,
                outcome,
                keep,
                now,
                now,
                keep == null ? null : now + keep);
        scope.rows.keys.put(key, made);
        return made;
    }

    Completion complete(KeyClaim claim, String outcome, @Nullable Fence fence) {
        Key stored = scope.rows.keys.get(claim.key());
        if (stored == null) {
            return new Completion.NotFound();
        }
        if (outcome.equals(stored.outcome()) && stored.workflow().equals(claim.workflowId())) {
            return new Completion.AlreadyCompleted(key(claim.key(), stored), true);
        }
        Optional<Loss> loss =
                fence == null ? Optional.empty() : scope.loss(LeaseKey.ofWorkflow(claim.workflowId()), fence);
        if (loss.isPresent()) {
            return new Completion.FenceLost(loss.get());
        }
        if (!stored.workflow().equals(claim.workflowId())) {
            return new Completion.Conflict(Binding.WORKFLOW);
        }
        if (stored.reservation() != claim.reservation()) {
            return new Completion.Conflict(Binding.RESERVATION);
        }
        return stored.outcome() == null
                ? new Completion.Done(key(claim.key(), completed(claim.key(), stored, outcome, stored.keep())))
                : new Completion.AlreadyCompleted(key(claim.key(), stored), false);
    }

    Key completed(String key, Key stored, String outcome, @Nullable Long keep) {
        long now = scope.clock.getAsLong();
        Key completed = new Key(
                stored.reservation(),
                stored.request(),
                stored.workflow(),
                outcome,
                keep,
                stored.created(),
                now,
                keep == null ? null : now + keep);
        scope.rows.keys.put(key, completed);
        return completed;
    }

    Optional<IdempotencyKey> findKey(String key) {
        return Optional.ofNullable(scope.rows.keys.get(key)).map(stored -> key(key, stored));
    }

    static IdempotencyKey key(String key, Key stored) {
        return new IdempotencyKey(
                new KeyClaim(key, stored.workflow(), stored.reservation()),
                stored.request(),
                Optional.ofNullable(stored.outcome()),
                Instant.EPOCH,
                Instant.EPOCH,
                Optional.ofNullable(stored.expires()).map(e -> Instant.EPOCH));
    }
}
