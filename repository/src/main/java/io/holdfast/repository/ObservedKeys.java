package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import java.util.Optional;

/** {@link JpaIdempotencyKeys}, with each call told to whoever watches. */
record ObservedKeys(Observing observing, Scope scope) implements IdempotencyKeys {

    @Override
    public Reservation reserve(String key, String requestId, String workflowId, KeepFor keepFor) {
        return observing.call(
                Operation.KEY_RESERVE, on -> over(on).reserve(key, requestId, workflowId, keepFor), Outcomes::of);
    }

    @Override
    public Reservation reserve(String key, String requestId, KeepFor keepFor) {
        return observing.call(Operation.KEY_RESERVE, on -> over(on).reserve(key, requestId, keepFor), Outcomes::of);
    }

    @Override
    public Completion complete(KeyClaim claim, String outcome) {
        return observing.call(Operation.KEY_COMPLETE, on -> over(on).complete(claim, outcome), Outcomes::of);
    }

    @Override
    public Completion completeFenced(KeyClaim claim, String outcome, Fence fence) {
        Completion answer = observing.call(
                Operation.KEY_COMPLETE_FENCED, on -> over(on).completeFenced(claim, outcome, fence), Outcomes::of);
        if (answer instanceof Completion.FenceLost lost) {
            Refused.log(Operation.KEY_COMPLETE_FENCED, scope, "workflow " + claim.workflowId(), fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Optional<IdempotencyKey> find(String key) {
        return observing.call(Operation.KEY_FIND, on -> over(on).find(key), Outcomes::ofFound);
    }

    private JpaIdempotencyKeys over(Transactions transactions) {
        return new JpaIdempotencyKeys(transactions, scope);
    }
}
