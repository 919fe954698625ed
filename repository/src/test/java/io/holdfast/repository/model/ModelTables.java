package io.holdfast.repository.model;

import io.holdfast.Scope;
import io.holdfast.state.Snapshots;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables as lines of text, and the same of the model. Times are in whole hours from now. */
final class ModelTables implements AutoCloseable {

    private static final String LINES = """
            select concat_ws('|', 'workflow', scope, id, request_id, status, revision, snapshot, coalesce(labels->>'team', '-'),
                   coalesce(cancel_reason, case when cancel_requested_at is null then '-' else '' end),
                   round(extract(epoch from created_at - clock_timestamp()) / 3600),
                   round(extract(epoch from updated_at - clock_timestamp()) / 3600),
                   finished_at is not null)
              from holdfast.workflow
            union all
            select concat_ws('|', 'key', scope, key, request_id, workflow_id, coalesce(outcome, '-'),
                   coalesce(cast(keep_ms as text), '-'),
                   round(extract(epoch from created_at - clock_timestamp()) / 3600),
                   round(extract(epoch from updated_at - clock_timestamp()) / 3600),
                   coalesce(cast(round(extract(epoch from expires_at - clock_timestamp()) / 3600) as text), '-'))
              from holdfast.idempotency_key
            union all
            select concat_ws('|', 'lease', scope, kind, id, coalesce(owner, '-'), token, ttl_ms,
                   round(extract(epoch from granted_at - clock_timestamp()) / 3600),
                   round(extract(epoch from expires_at - clock_timestamp()) / 3600))
              from holdfast.lease
            union all
            select concat_ws('|', 'floor', scope, floor) from holdfast.lease_floor
            """;

    private static final double HOUR = 3_600_000_000.0;

    private final Connection connection;

    ModelTables(TestDatabase database) throws SQLException {
        connection = database.connect();
    }

    void clear() throws SQLException {
        execute(
                "truncate holdfast.workflow_label, holdfast.workflow, holdfast.idempotency_key, holdfast.lease, holdfast.lease_floor");
    }

    /** Nothing is waited for: what is stored becomes older. */
    void age(int hours) throws SQLException {
        String by = " - interval '" + hours + " hours'";
        execute("update holdfast.workflow set created_at = created_at" + by + ", updated_at = updated_at" + by
                + ", cancel_requested_at = cancel_requested_at" + by);
        execute("update holdfast.idempotency_key set created_at = created_at" + by + ", updated_at = updated_at" + by
                + ", expires_at = expires_at" + by);
        execute("update holdfast.lease set granted_at = granted_at" + by + ", expires_at = expires_at" + by);
    }

    List<String> lines() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(LINES)) {
            while (rows.next()) {
                lines.add(rows.getString(1).replace("|-0", "|0"));
            }
        }
        return lines;
    }

    /** The numbers of a scope's keys. */
    Map<String, Long> reservations(Scope scope) throws SQLException {
        Map<String, Long> numbers = new TreeMap<>();
        try (var select =
                connection.prepareStatement("select key, reservation from holdfast.idempotency_key where scope = ?")) {
            select.setString(1, scope.id());
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    numbers.put(rows.getString(1), rows.getLong(2));
                }
            }
        }
        return numbers;
    }

    static List<String> lines(Scope scope, ModelRows rows, long now) {
        List<String> lines = new ArrayList<>();
        rows.flows.forEach((id, f) -> lines.add(line(
                "workflow",
                scope.id(),
                id,
                f.state().requestId(),
                f.state().status().wire(),
                f.revision(),
                Snapshots.write(f.state()),
                f.labels().getOrDefault("team", "-"),
                f.cancelReason() == null ? "-" : f.cancelReason(),
                hours(f.created(), now),
                hours(f.updated(), now),
                f.isFinished() ? "t" : "f")));
        rows.keys.forEach((key, k) -> lines.add(line(
                "key",
                scope.id(),
                key,
                k.request(),
                k.workflow(),
                k.outcome() == null ? "-" : k.outcome(),
                k.keep() == null ? "-" : k.keep() / 1_000,
                hours(k.created(), now),
                hours(k.updated(), now),
                hours(k.expires(), now))));
        rows.leases.forEach((key, l) -> lines.add(line(
                "lease",
                scope.id(),
                key.kind(),
                key.id(),
                l.owner() == null ? "-" : l.owner(),
                l.token(),
                l.ttl() / 1_000,
                hours(l.granted(), now),
                hours(l.expires(), now))));
        if (rows.floor != null) {
            lines.add(line("floor", scope.id(), rows.floor));
        }
        return lines;
    }

    private static String line(Object... fields) {
        return Stream.of(fields).map(String::valueOf).collect(Collectors.joining("|"));
    }

    private static String hours(@Nullable Long time, long now) {
        return time == null ? "-" : Long.toString(Math.round((time - now) / HOUR));
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
