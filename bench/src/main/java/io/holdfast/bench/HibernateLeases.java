package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.bench.entity.LeaseRow;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Renewal;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leases as entities: locked, judged by the client's clock, written at the commit. */
final class HibernateLeases implements Leases {

    private final Hibernate hibernate;
    private final String scope;

    HibernateLeases(Hibernate hibernate, Scope scope) {
        this.hibernate = hibernate;
        this.scope = scope.id();
    }

    @Override
    public Acquisition acquire(LeaseKey key, String owner, Duration ttl) {
        return hibernate.transaction(manager -> {
            Instant now = Instant.now();
            LeaseRow row = manager.find(LeaseRow.class, id(key), LockModeType.PESSIMISTIC_WRITE);
            if (row == null) {
                row = new LeaseRow(id(key), owner, ttl, now);
                manager.persist(row);
            } else if (row.isFree(now)) {
                row.grant(owner, ttl, now);
            } else {
                return new Acquisition.Busy(Duration.between(now, row.getExpiresAt()));
            }
            return new Acquisition.Granted(lease(key, row, owner, now));
        });
    }

    @Override
    public Renewal renew(LeaseKey key, Fence fence) {
        return hibernate.transaction(manager -> new Renewal.Renewed(renewed(manager, key, fence)));
    }

    Lease renewed(EntityManager manager, LeaseKey key, Fence fence) {
        Instant now = Instant.now();
        LeaseRow row = held(manager, key, fence, now);
        row.renew(now);
        return lease(key, row, fence.owner(), now);
    }

    /** Locked until the end of the transaction. */
    LeaseRow held(EntityManager manager, LeaseKey key, Fence fence, Instant now) {
        LeaseRow row = Hibernate.locked(manager, LeaseRow.class, id(key));
        Answers.yes(row.isHeldBy(fence.owner(), fence.token(), now));
        return row;
    }

    @Override
    public boolean release(LeaseKey key, Fence fence) {
        return hibernate.transaction(manager -> {
            Instant now = Instant.now();
            held(manager, key, fence, now).free(now);
            return true;
        });
    }

    @Override
    public Optional<Lease> find(LeaseKey key) {
        @Nullable LeaseRow row = hibernate.find(LeaseRow.class, id(key));
        return Optional.ofNullable(row).map(found -> lease(key, found, "any", Instant.now()));
    }

    private LeaseRow.Key id(LeaseKey key) {
        return new LeaseRow.Key(scope, key.kind(), key.id());
    }

    private static Lease lease(LeaseKey key, LeaseRow row, String owner, Instant now) {
        return new Lease(
                key,
                new Fence(owner, row.getToken()),
                row.getTtl(),
                row.getGrantedAt(),
                row.getExpiresAt(),
                Duration.between(now, row.getExpiresAt()));
    }

    @Override
    public Map<LeaseKey, Renewal> renewAll(Map<LeaseKey, Fence> held) {
        throw new UnsupportedOperationException();
    }
}
