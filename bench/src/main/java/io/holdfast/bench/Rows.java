package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.lease.LeaseKey;
import io.holdfast.state.Snapshots;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The rows that calls need, made beforehand, and counted afterwards. Row {@code i} of thread {@code t} is called
 * {@code order-2026-11-30-customer-t-i}: as long as ids are.
 */
final class Rows {

    static final Map<String, String> LABELS = Map.of("team", "blue");

    private static final String PREFIX = "order-2026-11-30-customer-";
    private static final String PLACEHOLDER = "WORKFLOW-ID";
    private static final int BASE = 5_000;

    private final TestDatabase database;
    private final Connection connection;

    Rows(TestDatabase database) {
        this.database = database;
        try {
            this.connection = database.connect();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    Backends backends() {
        return new Backends(connection);
    }

    static String id(int thread, int number) {
        return prefix(thread) + number;
    }

    private static String prefix(int thread) {
        return PREFIX + thread + "-";
    }

    static String owner(int thread) {
        return "w" + thread;
    }

    /** Empty tables but for a common ground, so that every round begins alike. */
    void reset() {
        database.execute(
                "truncate holdfast.workflow_label, holdfast.workflow, holdfast.idempotency_key, holdfast.lease, holdfast.lease_floor,"
                        + " holdfast.run_event, holdfast.run, holdfast.execution, holdfast.execution_step,"
                        + " holdfast.execution_effect, holdfast.execution_event");
        Scope base = Scope.of("base");
        workflows(base, 1, BASE);
        leases(base, LeaseKey.WORKFLOW, 1, BASE);
        keys(base, 1, BASE, BASE);
        runs(base, BASE);
        database.execute(
                "vacuum (analyze) holdfast.workflow, holdfast.idempotency_key, holdfast.lease, holdfast.lease_floor,"
                        + " holdfast.run, holdfast.run_event",
                "checkpoint");
    }

    void workflows(Scope scope, int threads, int each) {
        run(
                """
                insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, labels)
                select ?, id, ?, 'running', 1, replace(?, ?, id), '{"team":"blue"}'
                  from (select ? || t || '-' || i as id
                          from generate_series(0, ? - 1) t, generate_series(0, ? - 1) i) ids
                """,
                scope.id(),
                States.REQUEST,
                Snapshots.write(States.made(PLACEHOLDER)),
                PLACEHOLDER,
                PREFIX,
                threads,
                each);
    }

    /** What a caller has read of these. */
    Map<String, Workflow> read(Scope scope, int thread) {
        Map<String, Workflow> read = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "select id, incarnation, created_at, updated_at from holdfast.workflow where scope = ?"
                        + " and id like ?")) {
            select.setString(1, scope.id());
            select.setString(2, prefix(thread) + "%");
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    String id = rows.getString(1);
                    read.put(
                            id,
                            new Workflow(
                                    States.first(id),
                                    1,
                                    rows.getObject(2, UUID.class),
                                    Optional.empty(),
                                    LABELS,
                                    rows.getObject(3, OffsetDateTime.class).toInstant(),
                                    rows.getObject(4, OffsetDateTime.class).toInstant()));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return read;
    }

    /** Leases of owner {@code w0}, {@code w1} … with token 1, an hour from their end. */
    void leases(Scope scope, String kind, int threads, int each) {
        run("""
                insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)
                select ?, ?, ? || t || '-' || i, 'w' || t, 1, 7200000, clock_timestamp(), clock_timestamp() + interval '1 hour'
                  from generate_series(0, ? - 1) t, generate_series(0, ? - 1) i
                """, scope.id(), kind, PREFIX, threads, each);
        floor(scope);
    }

    void floor(Scope scope) {
        run("insert into holdfast.lease_floor (scope) values (?) on conflict do nothing", scope.id());
    }

    /** Reserved keys; key {@code i} is that of workflow {@code i} modulo {@code workflows}. */
    void keys(Scope scope, int threads, int each, int workflows) {
        run("""
                insert into holdfast.idempotency_key
                       (scope, key, reservation, request_id, workflow_id, status, keep_ms, expires_at)
                select ?, ? || t || '-' || i, 1, ?, ? || t || '-' || i % ?, 'reserved', 86400000,
                       clock_timestamp() + interval '1 day'
                  from generate_series(0, ? - 1) t, generate_series(0, ? - 1) i
                """, scope.id(), PREFIX, States.REQUEST, PREFIX, workflows, threads, each);
    }

    /** Runs without events, as of thread 0. */
    void runs(Scope scope, int count) {
        run("""
                insert into holdfast.run (scope, id, status, input, state, metadata)
                select ?, ? || i, 'running', '{"order":17}', '{"order":17}', '{}' from generate_series(0, ? - 1) i
                """, scope.id(), prefix(0), count);
    }

    /** A run of the journal for each thread, with a lease as {@link #leases} makes them. */
    void journals(Scope scope, int threads) {
        run("""
                insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, state, state_version)
                select ?, ? || t || '-0', 'agent', '{}', 'digest', 'running', '{}', 1 from generate_series(0, ? - 1) t
                """, scope.id(), PREFIX, threads);
        leases(scope, LeaseKey.RUN, threads, 1);
    }

    /** A count over the rows of a scope. */
    long count(String expression, String table, Scope scope) {
        try (PreparedStatement select =
                connection.prepareStatement("select " + expression + " from holdfast." + table + " where scope = ?")) {
            select.setString(1, scope.id());
            try (var rows = select.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(String sql, Object... values) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
