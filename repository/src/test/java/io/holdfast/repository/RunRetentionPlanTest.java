package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each statement of the retention of runs walks an index and reads about as many rows as it removes or counts, whatever it has
 * to ask of a run: under the generic plan that a named statement gets, too.
 */
class RunRetentionPlanTest {

    private static final int ROWS = Integer.getInteger("holdfast.test.rows", 20_000);
    private static final int BATCH = 50;
    private static final Set<String> NUMBERS = Set.of("limit", "age", "newest", "most", "kept");
    private static final Pattern READ = Pattern.compile("rows=(\\d+(?:\\.\\d+)?) loops=(\\d+)");
    private static final Pattern PASSED_BY = Pattern.compile("Rows Removed by [A-Za-z ]+: (\\d+)");

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void fill() {
        database = TestDatabase.migrated("run-retention");
        holdfast = Holdfast.open(database.dataSource());
        String made = "timestamptz '2026-01-01 00:00:00+00' + g * interval '1 second'";
        String from = " from generate_series(1, " + ROWS + ") g";
        String scope = "'t' || g % 10, 'r-' || g";
        // One tenant in ten rows; one run in ten is at work, and one in twenty is a part of another.
        String over = "g / 10 % 10 <> 0";
        database.execute(
                "insert into holdfast.run (scope, id, status, input, state, metadata, created_at, updated_at) select "
                        + scope + ", case when " + over + " then 'done' else 'running' end, '{}', '{}', '{}', " + made
                        + ", " + made + from,
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, watched, state,"
                        + " state_version, created_at, updated_at) select 't' || g % 10, 'r-' || g || case when g / 10 % 20 = 1"
                        + " then '/part' else '' end, 'agent', '{}', 'd', case when " + over
                        + " then 'completed' else 'running' end, not (" + over + "), '{}', 1, " + made + ", " + made
                        + from,
                "insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key,"
                        + " status, created_at, updated_at) select e.scope, e.id, 1, 'a#1', 0, repeat('a', 64), e.id,"
                        + " 'confirmed', e.created_at, e.created_at from holdfast.execution e",
                "insert into holdfast.checkpoint (scope, run_id, path, definition_hash, status, steps, revision,"
                        + " history_from, created_at, updated_at) select " + scope
                        + ", 'path', repeat('a', 64), case when "
                        + over + " then 'completed' else 'running' end, 1, 3, 1, " + made + ", " + made + from,
                "insert into holdfast.checkpoint_entry (scope, run_id, revision, definition_hash, status, steps, state,"
                        + " details, saved_at) select scope, run_id, v, definition_hash, status, 1, '{}', '{}', created_at"
                        + " from holdfast.checkpoint, generate_series(1, 3) v",
                "insert into holdfast.agent_checkpoint (scope, run_id, status, revision, created_at, updated_at, phase,"
                        + " payload) select " + scope + ", case when " + over
                        + " then 'finished' else 'running' end, 1, " + made + ", " + made + ", case when " + over
                        + " then null else 'model_next' end, case when " + over + " then null else '{}' end" + from,
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, withdrawn_reason,"
                        + " withdrawn_at) select 't' || g % 10, 'a-' || g, 'r-' || g, '{}', repeat('a', 64), case when "
                        + over + " then 'withdrawn' else 'pending' end, " + made + ", case when " + over
                        + " then '' end, case when " + over + " then " + made + " end" + from,
                "insert into holdfast.workspace_session (scope, id, message_count, payload, created_at, updated_at) select "
                        + scope + ", 1, '{}', " + made + ", " + made + from,
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at) select 't' || g % 10,"
                        + " 'run', 'r-' || g, case when " + over + " then null else 'w' end, 1, 1000, " + made
                        + ", case when " + over + " then " + made + " else timestamptz '2100-01-01' end" + from,
                "analyze");
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @ParameterizedTest
    @CsvSource({
        "RUNS, bound, done, run_status",
        "RUNS, count, done, run_status",
        "RUNS, remove, done, run_status",
        "JOURNALS, bound, completed, execution_ended",
        "JOURNALS, count, completed, execution_ended",
        "JOURNALS, remove, completed, execution_ended",
        "CHECKPOINTS, bound, completed, checkpoint_ended",
        "CHECKPOINTS, count, completed, checkpoint_ended",
        "CHECKPOINTS, remove, completed, checkpoint_ended",
        "APPROVALS, bound, withdrawn, approval_status",
        "APPROVALS, count, withdrawn, approval_status",
        "APPROVALS, remove, withdrawn, approval_status",
        "AGENTS, bound, finished, agent_checkpoint_status",
        "AGENTS, count, finished, agent_checkpoint_status",
        "AGENTS, remove, finished, agent_checkpoint_status",
    })
    void whatHasEndedIsFoundAlongItsIndex(String rows, String statement, String status, String index) throws Exception {
        Object of = field(EndedRows.class, rows).get(null);
        assertReadsNoMoreThanItsBatch(
                (Statement<?>) field(EndedRows.class, statement).get(of), status, index);
    }

    @ParameterizedTest
    @CsvSource({
        "OldSessions, BOUND, workspace_session_kept",
        "OldSessions, COUNT, workspace_session_kept",
        "OldSessions, REMOVE, workspace_session_kept",
        "CutHistories, COUNT, checkpoint_finished",
        "CutHistories, REMOVE, checkpoint_finished",
        "CutHistories, REMOVE, checkpoint_entry_pk",
        "RetentionRun, NEXT, execution",
        "SpentLeases, LOOK, lease_pk",
    })
    void soIsTheRest(String owner, String statement, String index) throws Exception {
        Class<?> type = Class.forName("io.holdfast.repository." + owner);
        assertReadsNoMoreThanItsBatch((Statement<?>) field(type, statement).get(null), "", index);
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static void assertReadsNoMoreThanItsBatch(Statement<?> statement, String status, String index)
            throws SQLException {
        Tables tables = holdfast.open().single("plan", Transactions.Effect.READ, Statements::tables);
        for (String mode : List.of("force_generic_plan", "force_custom_plan")) {
            String plan = explained(tables.resolve(statement.sql()), mode, status);
            assertThat(plan).as(plan).contains(index);
            assertThat(plan.lines().filter(line -> line.contains("Seq Scan")))
                    .as(plan)
                    .allMatch(line -> line.contains("workflow") || line.contains("idempotency_key")); // nothing in them
            double least = statement.sql().contains("limit :limit") ? BATCH : 1; // or it has looked at nothing
            assertThat(read(plan)).as(mode + "\n" + plan).isBetween(least, 4.0 * BATCH);
        }
    }

    /** The most rows that a node of the plan has handled. */
    private static double read(String plan) {
        double most = 0;
        for (Matcher node = READ.matcher(plan); node.find(); ) {
            most = Math.max(most, Double.parseDouble(node.group(1)) * Integer.parseInt(node.group(2)));
        }
        for (Matcher passedBy = PASSED_BY.matcher(plan); passedBy.find(); ) {
            most = Math.max(most, Integer.parseInt(passedBy.group(1)));
        }
        return most;
    }

    private static String explained(NamedParameters statement, String mode, String status) throws SQLException {
        Map<String, String> values = Map.ofEntries(
                Map.entry("scope", "'t1'"),
                Map.entry("status", "'" + status + "'"),
                Map.entry("at", "'2026-01-01 00:30:00+00'"),
                Map.entry("id", "'k'"),
                Map.entry("kind", "'run'"),
                Map.entry("cutoff", "'2026-06-01 00:00:00+00'"),
                Map.entry("beyond_at", "'-infinity'"),
                Map.entry("beyond_id", "''"),
                Map.entry("age", "1000"),
                Map.entry("newest", "40"),
                Map.entry("kept", "1"),
                Map.entry("most", Integer.toString(10 * BATCH)),
                Map.entry("limit", Integer.toString(BATCH)));
        List<String> arguments = new ArrayList<>(Collections.nCopies(statement.count(), ""));
        List<String> types = new ArrayList<>(Collections.nCopies(statement.count(), ""));
        statement
                .places()
                .forEach((name, places) -> places.forEach(place -> {
                    arguments.set(place, values.get(name));
                    types.set(place, NUMBERS.contains(name) ? "bigint" : "text");
                }));
        StringBuilder sql = new StringBuilder();
        int place = 0;
        for (char c : statement.sql().toCharArray()) {
            sql.append(c == '?' ? "$" + ++place : String.valueOf(c));
        }
        try (Connection connection = database.connect();
                var session = connection.createStatement()) {
            connection.setAutoCommit(false); // rolled back at the end
            session.execute("set plan_cache_mode = " + mode);
            session.execute("prepare batch (" + String.join(", ", types) + ") as " + sql);
            StringBuilder plan = new StringBuilder();
            try (var lines = session.executeQuery(
                    "explain (analyze, costs off, timing off) execute batch (" + String.join(", ", arguments) + ")")) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            return plan.toString();
        }
    }
}
