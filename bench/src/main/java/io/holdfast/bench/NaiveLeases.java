package io.holdfast.bench;

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
import javax.sql.DataSource;

/**
 * A lease as one writes it by hand: an upsert that takes what has expired. Whoever does not get it waits in the server's queue
 * for the row, if it is locked, and tries again at once until it is granted; or, being patient, is told that it is busy.
 */
final class NaiveLeases implements Leases {

    private static final Sql ACQUIRE = Sql.named("""
            insert into holdfast.lease as x (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)
            values (:scope, :kind, :id, :owner, 1, :ttl, clock_timestamp(),
                    clock_timestamp() + :ttl * interval '1 millisecond')
            on conflict (scope, kind, id) do update
               set owner = :owner, token = x.token + 1, ttl_ms = :ttl, granted_at = clock_timestamp(),
                   expires_at = clock_timestamp() + :ttl * interval '1 millisecond'
             where x.expires_at <= clock_timestamp()
            returning token, granted_at, expires_at
            """, "scope", "kind", "id", "owner", "ttl");

    private static final Sql RELEASE = Sql.named("""
            update holdfast.lease set owner = null, expires_at = clock_timestamp()
             where scope = :scope and kind = :kind and id = :id and owner = :owner and token = :token
            """, "scope", "kind", "id", "owner", "token");

    private final DataSource source;
    private final String scope;
    private final boolean patient;

    NaiveLeases(DataSource source, Scope scope, boolean patient) {
        this.source = source;
        this.scope = scope.id();
        this.patient = patient;
    }

    @Override
    public Acquisition acquire(LeaseKey key, String owner, Duration ttl) {
        while (true) {
            Lease lease = ACQUIRE.first(
                    source,
                    row -> new Lease(
                            key,
                            new Fence(owner, row.getLong("token")),
                            ttl,
                            Sql.time(row, "granted_at"),
                            Sql.time(row, "expires_at"),
                            ttl),
                    scope,
                    key.kind(),
                    key.id(),
                    owner,
                    ttl.toMillis());
            if (lease != null) {
                return new Acquisition.Granted(lease);
            }
            if (patient) {
                return new Acquisition.Busy(ttl);
            }
        }
    }

    @Override
    public boolean release(LeaseKey key, Fence fence) {
        return RELEASE.update(source, scope, key.kind(), key.id(), fence.owner(), fence.token()) == 1;
    }

    @Override
    public Renewal renew(LeaseKey key, Fence fence) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<LeaseKey, Renewal> renewAll(Map<LeaseKey, Fence> held) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Lease> find(LeaseKey key) {
        throw new UnsupportedOperationException();
    }
}
