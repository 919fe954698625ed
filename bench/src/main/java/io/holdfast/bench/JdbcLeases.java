package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.SentStatements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** The lease store's statements in plain JDBC, into the same values. */
final class JdbcLeases implements Leases {

    record Texts(Sql acquire, Sql renew, Sql release, Sql find) {

        static Texts of(SentStatements sent) {
            return new Texts(
                    Sql.named(sent.text("JpaLeases", "ACQUIRE"), "lock_timeout", "scope", "kind", "id", "owner", "ttl"),
                    Sql.named(sent.text("JpaLeases", "RENEW"), "lock_timeout", "scope", "kind", "id", "owner", "token"),
                    Sql.named(
                            sent.text("JpaLeases", "RELEASE"), "lock_timeout", "scope", "kind", "id", "owner", "token"),
                    Sql.named(sent.text("JpaLeases", "FIND"), "scope", "kind", "id"));
        }
    }

    private final DataSource source;
    private final Texts texts;
    private final String scope;

    JdbcLeases(DataSource source, Texts texts, Scope scope) {
        this.source = source;
        this.texts = texts;
        this.scope = scope.id();
    }

    @Override
    public Acquisition acquire(LeaseKey key, String owner, Duration ttl) {
        return texts.acquire()
                .row(
                        source,
                        row -> new Acquisition.Granted(lease("GRANTED", row, key)),
                        Contender.PATIENCE,
                        scope,
                        key.kind(),
                        key.id(),
                        owner,
                        ttl.toMillis());
    }

    @Override
    public Renewal renew(LeaseKey key, Fence fence) {
        return texts.renew()
                .row(
                        source,
                        row -> new Renewal.Renewed(lease("RENEWED", row, key)),
                        Contender.PATIENCE,
                        scope,
                        key.kind(),
                        key.id(),
                        fence.owner(),
                        fence.token());
    }

    @Override
    public boolean release(LeaseKey key, Fence fence) {
        return texts.release()
                .row(
                        source,
                        row -> row.getBoolean("released"),
                        Contender.PATIENCE,
                        scope,
                        key.kind(),
                        key.id(),
                        fence.owner(),
                        fence.token());
    }

    @Override
    public Optional<Lease> find(LeaseKey key) {
        return Optional.ofNullable(
                texts.find().first(source, row -> lease("FOUND", row, key), scope, key.kind(), key.id()));
    }

    private static Lease lease(String verdict, ResultSet row, LeaseKey key) throws SQLException {
        Sql.expect(verdict, row.getString("verdict"));
        return new Lease(
                key,
                new Fence(row.getString("owner"), row.getLong("token")),
                Duration.ofMillis(row.getLong("ttl_ms")),
                Sql.time(row, "granted_at"),
                Sql.time(row, "expires_at"),
                Duration.of(row.getLong("remaining_micros"), ChronoUnit.MICROS));
    }

    @Override
    public Map<LeaseKey, Renewal> renewAll(Map<LeaseKey, Fence> held) {
        throw new UnsupportedOperationException();
    }
}
