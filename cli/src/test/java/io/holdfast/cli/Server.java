package io.holdfast.cli;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/** Two servers of this JVM beside the usual one: a healthy one, and one with all that doctor complains of. Stopped at exit. */
final class Server {

    private static final class OfThisJvm {
        static final Server HEALTHY = migrated(startHealthy());
        static final Server SICK = fallenIll(migrated(startSick()));
    }

    private final EmbeddedPostgres server;
    private final String database;

    private Server(EmbeddedPostgres server, String database) {
        this.server = server;
        this.database = database;
    }

    static Server healthy() {
        return OfThisJvm.HEALTHY;
    }

    static Server sick() {
        return OfThisJvm.SICK;
    }

    private static Server migrated(Server server) {
        Shell.Result result = server.shell().run("db", "migrate");
        if (result.status() != 0) {
            throw new AssertionError(result.err());
        }
        return server;
    }

    private static Server startHealthy() {
        return start(
                Map.of("fsync", "on", "full_page_writes", "on", "synchronous_commit", "on", "log_timezone", "UTC"),
                "postgres");
    }

    private static Server startSick() {
        Server server = start(
                Map.of(
                        "fsync", "off",
                        "full_page_writes", "off",
                        "synchronous_commit", "off",
                        "log_timezone", "Asia/Kolkata",
                        "default_transaction_isolation", "serializable",
                        "autovacuum", "off"), // would mend some of it
                "postgres");
        // A collation that has versions wherever this runs.
        server.execute("create database sick template template0 encoding 'UTF8' locale_provider icu icu_locale 'en'");
        return new Server(server.server, "sick");
    }

    private static Server start(Map<String, String> settings, String database) {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setLocaleConfig("locale", "C")
                    .setLocaleConfig("encoding", "UTF8")
                    .setPGStartupWait(Duration.ofSeconds(60));
            settings.forEach(builder::setServerConfig);
            return new Server(builder.start(), database);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Connection connect() throws SQLException {
        return server.getDatabase("postgres", database).getConnection();
    }

    void execute(String... statements) {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError("set-up failed: " + e.getMessage(), e);
        }
    }

    Shell shell() {
        return shellAs("postgres", "postgres");
    }

    Shell shellAs(String user, String password) {
        return new Shell(
                Map.of(
                        "HOLDFAST_URL", "jdbc:postgresql://localhost:" + server.getPort() + "/" + database,
                        "HOLDFAST_USER", user,
                        "HOLDFAST_PASSWORD", password),
                Terminal.NONE,
                InstantSource.system());
    }

    /** What goes wrong in tables, all at once. */
    private static Server fallenIll(Server server) {
        server.execute(
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select 'acme', 'report', 'r' || n, 'worker-7', 1, 1000, clock_timestamp(), clock_timestamp()"
                        + " from generate_series(1, 12000) n",
                "delete from holdfast.lease",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at) values"
                        + " ('acme', 'workflow', 'order-1001', 'worker-7', 3, 30000, clock_timestamp() - interval '1 day',"
                        + " clock_timestamp() - interval '1 day')",
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, expires_at)"
                        + " values ('acme', 'order-1001', 1, 'order-1001', 'order-1001', 'reserved',"
                        + " clock_timestamp() - interval '1 day')",
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, state, state_version,"
                        + " updated_at) values ('acme', 'refund-2', 'agent', '{}', 'd', 'running', '{}', 1,"
                        + " clock_timestamp() - interval '1 day')",
                "insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key,"
                        + " status, created_at, updated_at) values ('acme', 'refund-2', 1, 'refund#1', 0, repeat('a', 64), 'k',"
                        + " 'indeterminate', clock_timestamp(), clock_timestamp())",
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, verdict, decided_by,"
                        + " decided_reason, decided_at, consumed_by, consumed_token, consumed_at) values ('acme', 'ap-2',"
                        + " 'refund-2', '{}', repeat('a', 64), 'consumed', clock_timestamp() - interval '1 day', 'approved',"
                        + " 'ann', '', clock_timestamp(), 'refund#1', 1, clock_timestamp() - interval '1 day')",
                "update pg_index set indisvalid = false where indexrelid = 'holdfast.workflow_finished'::regclass",
                "update pg_class set relfrozenxid = cast(cast((cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as"
                        + " bigint) + 4294967296 - 300000000) % 4294967296 as text) as xid)"
                        + " where oid = 'holdfast.lease'::regclass",
                "update pg_database set datcollversion = '1.0' where datname = current_database()",
                "insert into holdfast.schema_history_operations (installed_rank, version, description, type, script, checksum,"
                        + " installed_by, execution_time, success) values (99, '2', 'newer', 'SQL', 'V2__newer.sql', 1,"
                        + " current_user, 0, true)",
                "create role limited login password 'limited'",
                "grant usage on schema holdfast to limited",
                "grant select on all tables in schema holdfast to limited",
                "select pg_stat_force_next_flush()");
        await().atMost(Duration.ofSeconds(20)).until(() -> server.countsDead() >= 12_000);
        return server;
    }

    /** Sessions tell their counts a moment after they have ended. */
    private long countsDead() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "select n_dead_tup from pg_stat_all_tables where relid = 'holdfast.lease'::regclass")) {
            row.next();
            return row.getLong(1);
        }
    }
}
