package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
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
 * Each statement of retention walks an index and reads about as many rows as it removes or counts: under the generic plan that
 * a named statement gets, too. On {@code -Dholdfast.test.rows} rows of each kind, of which CI makes a million.
 */
class RetentionPlanTest {

    private static final int ROWS = Integer.getInteger("holdfast.test.rows", 20_000);
    private static final int BATCH = 50;
    private static final Set<String> NUMBERS = Set.of(
            "limit",
            "age",
            "finished",
            "expired",
            "succeeded_age",
            "succeeded_newest",
            "failed_age",
            "failed_newest",
            "closed_age",
            "closed_newest");
    private static final Pattern READ = Pattern.compile("rows=(\\d+(?:\\.\\d+)?) loops=(\\d+)");
    private static final Pattern PASSED_BY = Pattern.compile("Rows Removed by [A-Za-z ]+: (\\d+)");

    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("scope", "'t1'"),
            Map.entry("status", "'succeeded'"),
            Map.entry("at", "'2026-01-01 00:30:00+00'"),
            Map.entry("key", "'k'"),
            Map.entry("kind", "'workflow'"),
            Map.entry("id", "'wf-3'"),
            Map.entry("last_kind", "'workflow'"),
            Map.entry("last_id", "'wf-31'"),
            Map.entry("cutoff", "'2026-06-01 00:00:00+00'"),
            Map.entry("beyond_at", "'-infinity'"),
            Map.entry("beyond_id", "''"),
            Map.entry("age", "1000"),
            Map.entry("finished", "1000"),
            Map.entry("expired", "1000"),
            Map.entry("succeeded_age", "1000"),
            Map.entry("succeeded_newest", "40"),
            Map.entry("failed_age", "null"),
            Map.entry("failed_newest", "40"),
            Map.entry("closed_age", "null"),
            Map.entry("closed_newest", "null"),
            Map.entry("limit", Integer.toString(BATCH)));

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void fill() {
        database = TestDatabase.migrated("retention");
        holdfast = Holdfast.open(database.dataSource());
        String created = "timestamptz '2026-01-01' + g * interval '1 second'";
        String from = " from generate_series(1, " + ROWS + ") g";
        database.execute(
                // One tenant in ten rows; one workflow in ten has not ended, one in a hundred leases is held.
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, created_at, updated_at)"
                        + " select 't' || g % 10, 'wf-' || g, 'r', case when g / 10 % 10 = 0 then 'running' else 'succeeded' end,"
                        + " 1, '{}', " + created + ", " + created + from,
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, created_at,"
                        + " expires_at) select 't' || g % 10, 'k-' || g, 1, 'r', 'wf-' || g, 'reserved', " + created
                        + ", "
                        + created + from,
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select 't' || g % 10, 'workflow', 'wf-' || g, 'w', 1, 1000, " + created
                        + ", case when g / 10 % 100 = 0 then timestamptz '2100-01-01' else " + created + " end" + from,
                "insert into holdfast.lease_floor (scope) select 't' || g from generate_series(0, 9) g",
                "analyze holdfast.workflow",
                "analyze holdfast.idempotency_key",
                "analyze holdfast.lease");
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @ParameterizedTest
    @CsvSource({
        "EndedWorkflows, BOUNDS, workflow_status",
        "EndedWorkflows, COUNT, workflow_status",
        "EndedWorkflows, REMOVE, workflow_status",
        "ExpiredKeys, COUNT, idempotency_key_expiry",
        "ExpiredKeys, REMOVE, idempotency_key_expiry",
        "FinishedWorkflows, COUNT, workflow_finished",
        "FinishedWorkflows, REMOVE, workflow_finished",
        "SpentLeases, LOOK, lease_pk",
        "SpentLeases, DUE, lease_pk",
        "SpentLeases, REMOVE, lease_pk",
        "RetentionRun, NEXT, lease_pk",
        "JpaCleanup, SCOPES, lease_pk",
        "JpaCleanup, SCOPES, workflow_finished",
        "JpaCleanup, SCOPES, idempotency_key_expiry",
    })
    void aStatementReadsAnIndexAndNoMoreThanItsBatch(String owner, String statement, String index) throws Exception {
        for (String mode : List.of("force_generic_plan", "force_custom_plan")) {
            String plan = plan(mode, owner, statement);
            assertThat(plan).as(plan).contains(index);
            assertThat(plan.lines().filter(line -> line.contains("Seq Scan")))
                    .as(plan)
                    .allMatch(line -> line.contains("lease_floor")); // a row for each scope
            assertThat(read(plan)).as(plan).isLessThanOrEqualTo(3.0 * BATCH);
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

    private static String plan(String mode, String owner, String name) throws Exception {
        var field = Class.forName("io.holdfast.repository." + owner).getDeclaredField(name);
        field.setAccessible(true);
        Tables tables = holdfast.open().single("plan", Transactions.Effect.READ, Statements::tables);
        NamedParameters statement = tables.resolve(((Statement<?>) field.get(null)).sql());
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false); // rolled back at the end
            return explained(connection, mode, statement);
        }
    }

    private static String explained(Connection connection, String mode, NamedParameters statement) throws SQLException {
        List<String> arguments = new ArrayList<>(Collections.nCopies(statement.count(), ""));
        List<String> types = new ArrayList<>(Collections.nCopies(statement.count(), ""));
        statement
                .places()
                .forEach((name, places) -> places.forEach(place -> {
                    arguments.set(place, VALUES.get(name));
                    types.set(place, NUMBERS.contains(name) ? "bigint" : "text");
                }));
        StringBuilder sql = new StringBuilder();
        int place = 0;
        for (char c : statement.sql().toCharArray()) {
            sql.append(c == '?' ? "$" + ++place : String.valueOf(c));
        }
        try (var session = connection.createStatement()) {
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
