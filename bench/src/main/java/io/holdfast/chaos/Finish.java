package io.holdfast.chaos;

import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Nothing new is begun, and what was left is brought to its end; how long that took.
 *
 * @param left how much was left when workers were told
 * @param still what is left
 * @param leftOpen transactions in which nothing was done for so long
 */
record Finish(int left, Set<String> still, double seconds, int leftOpen) {

    /** Runs that are not over; workflows whose lease nobody took, or which nobody went on with; requests without an outcome. */
    private static final String LEFT = """
            select 'run ' || id from holdfast.execution where status not in ('completed', 'failed')
            union all
            select 'agent ' || run_id from holdfast.agent_checkpoint where status not in ('finished', 'purged')
            union all
            select 'checkpoint ' || run_id from holdfast.checkpoint where status not in ('completed', 'failed', 'rejected')
            union all
            select 'approval ' || id from holdfast.approval where status in ('pending', 'approved')
            union all
            select 'request ' || key from holdfast.idempotency_key
             where scope = 'chaos' and status = 'reserved' and starts_with(key, 'request-')
            union all
            select 'workflow ' || w.id from holdfast.workflow w
             where w.scope = 'chaos'
               and (w.updated_at < '%1$s' and w.finished_at is null
                    or not exists (select from holdfast.lease l
                                    where l.scope = w.scope and l.kind = 'workflow' and l.id = w.id and l.granted_at >= '%1$s'))
            """;

    /** Whoever has begun one and does nothing in it. */
    private static final String IDLE = """
            select pid || ' since ' || xact_start || ', last in it ' || state_change from pg_stat_activity
             where datname = current_database() and application_name = 'chaos' and state like 'idle in transaction%'
            """;

    private static final long IDLE_SECONDS = 10;

    /** Violations of one rule that are told. */
    private static final int TOLD = 5;

    static Finish of(TestDatabase database, List<WorkerProcess> workers, List<String> violations)
            throws SQLException, InterruptedException {
        try (Connection connection = database.directDataSource().getConnection()) {
            String since = now(connection);
            int left = left(connection, since).size();
            workers.forEach(worker -> worker.order("finish"));
            long start = System.nanoTime();
            long end = start + TimeUnit.SECONDS.toNanos(Main.PATIENCE_SECONDS);
            Set<String> still = left(connection, since);
            while (!still.isEmpty() && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(100);
                still = left(connection, since);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            if (!still.isEmpty()) {
                violations.add("stuck: after " + Main.PATIENCE_SECONDS + " s nobody has brought to an end "
                        + still.stream().limit(TOLD).collect(Collectors.joining(", ")) + " of " + still.size());
            }
            return new Finish(left, still, seconds, idle(connection, IDLE_SECONDS));
        }
    }

    /** @param since when workers were told, by the server's clock */
    static Set<String> left(Connection connection, String since) throws SQLException {
        return rows(connection, String.format(Locale.ROOT, LEFT, since));
    }

    /** Transactions that are as they were for so long. */
    static int idle(Connection connection, long seconds) throws SQLException, InterruptedException {
        Set<String> idle = rows(connection, IDLE);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!idle.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(100);
            idle.retainAll(rows(connection, IDLE));
        }
        return idle.size();
    }

    static String now(Connection connection) throws SQLException {
        return rows(connection, "select clock_timestamp()::text").iterator().next();
    }

    private static Set<String> rows(Connection connection, String query) throws SQLException {
        Set<String> rows = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                rows.add(row.getString(1));
            }
        }
        return rows;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "finished  what was left, %d rows, %d are left after %.1f s", left, still.size(), seconds);
    }
}
