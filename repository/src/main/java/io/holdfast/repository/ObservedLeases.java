package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Renewal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** {@link JpaLeases}, with each call told to whoever watches. */
record ObservedLeases(Observing observing, Scope scope) implements Leases {

    @Override
    public Acquisition acquire(LeaseKey key, String owner, Duration ttl) {
        return observing.call(Operation.LEASE_ACQUIRE, on -> over(on).acquire(key, owner, ttl), Outcomes::of);
    }

    @Override
    public Renewal renew(LeaseKey key, Fence fence) {
        Renewal answer = observing.call(Operation.LEASE_RENEW, on -> over(on).renew(key, fence), Outcomes::of);
        if (answer instanceof Renewal.Lost lost) {
            Refused.log(Operation.LEASE_RENEW, scope, key.kind() + " " + key.id(), fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Map<LeaseKey, Renewal> renewAll(Map<LeaseKey, Fence> held) {
        Map<LeaseKey, Renewal> answers = observing.call(
                Operation.LEASE_RENEW_ALL, on -> over(on).renewAll(held), all -> Outcomes.ofAll(all.values()));
        answers.forEach((key, answer) -> {
            Fence fence = held.get(key);
            if (answer instanceof Renewal.Lost lost && fence != null) {
                Refused.log(Operation.LEASE_RENEW_ALL, scope, key.kind() + " " + key.id(), fence, lost.reason());
            }
        });
        return answers;
    }

    @Override
    public boolean release(LeaseKey key, Fence fence) {
        return observing.call(
                Operation.LEASE_RELEASE,
                on -> over(on).release(key, fence),
                freed -> freed ? Outcome.DONE : Outcome.NOT_FOUND);
    }

    @Override
    public Optional<Lease> find(LeaseKey key) {
        return observing.call(Operation.LEASE_FIND, on -> over(on).find(key), Outcomes::ofFound);
    }

    private JpaLeases over(Transactions transactions) {
        return new JpaLeases(transactions, scope);
    }
}
