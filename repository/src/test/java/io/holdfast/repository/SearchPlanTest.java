package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each list walks an index, in the order of its answer, and reads no more rows than it shows: under the generic plan that a
 * named statement gets, too. On {@code -Dholdfast.test.rows} workflows, of which CI makes a million.
 */
class SearchPlanTest {

    private static final int ROWS = Integer.getInteger("holdfast.test.rows", 20_000);
    private static final Pattern READ = Pattern.compile("rows=(\\d+(?:\\.\\d+)?) loops=(\\d+)");

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void fill() {
        database = TestDatabase.migrated("search");
        holdfast = Holdfast.open(database.dataSource());
        database.execute(
                // One tenant in ten rows; one workflow in a thousand runs; teams of every size.
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, labels, created_at)"
                        + " select 't' || g % 10, 'wf-' || g, 'r', case when g % 1000 < 10 then 'running' else 'succeeded' end,"
                        + " 1, '{}', jsonb_build_object('team', 'team-' || g % 5, 'rare', (g / 1000)::text),"
                        + " timestamptz '2026-01-01' + g * interval '1 second' from generate_series(1, " + ROWS + ") g",
                "insert into holdfast.workflow_label select w.scope, l.key, l.value, w.created_at, w.id"
                        + " from holdfast.workflow w, jsonb_each_text(w.labels) l",
                "analyze holdfast.workflow",
                "analyze holdfast.workflow_label");
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @ParameterizedTest
    @CsvSource({
        "ALL, workflow_age",
        "OF_STATUS, workflow_status",
        "LABELLED, workflow_label_pk",
        "RARE, workflow_label_pk",
    })
    void aPageFromTheMiddleReadsAnIndexAndNoMoreRowsThanItShows(String list, String index) throws Exception {
        String plan = plan(list);
        assertThat(plan).contains(index).doesNotContain("Seq Scan", "Sort");
        assertThat(read(plan)).as(plan).isLessThanOrEqualTo(60);
    }

    /** The most rows that a node of the plan has handled. */
    private static double read(String plan) {
        double most = 0;
        for (Matcher node = READ.matcher(plan); node.find(); ) {
            most = Math.max(most, Double.parseDouble(node.group(1)) * Integer.parseInt(node.group(2)));
        }
        Matcher removed = Pattern.compile("Rows Removed by [A-Za-z ]+: (\\d+)").matcher(plan);
        while (removed.find()) {
            most = Math.max(most, Integer.parseInt(removed.group(1)));
        }
        return most;
    }

    private static String plan(String list) throws Exception {
        var field = WorkflowSearch.class.getDeclaredField(list.equals("RARE") ? "LABELLED" : list);
        field.setAccessible(true);
        Tables tables = holdfast.open().single("plan", Transactions.Effect.READ, Statements::tables);
        NamedParameters statement = tables.resolve(((Statement<?>) field.get(null)).sql());
        Map<String, String> values = Map.ofEntries(
                Map.entry("scope", "'t1'"),
                Map.entry("at", "'2026-01-01 02:00:00+00'"),
                Map.entry("id", "'wf-1'"),
                Map.entry("min", "0"),
                Map.entry("max", "3153600000000"),
                Map.entry("limit", "50"),
                Map.entry("status", list.equals("OF_STATUS") ? "'running'" : "null"),
                Map.entry("name", list.equals("RARE") ? "'rare'" : "'team'"),
                Map.entry("value", list.equals("RARE") ? "'9'" : "'team-1'"),
                Map.entry("labels", list.equals("RARE") ? "'{\"rare\": \"9\"}'" : "'{\"team\": \"team-1\"}'"));
        try (Connection connection = database.connect()) {
            return explained(connection, statement, values);
        }
    }

    private static String explained(Connection connection, NamedParameters statement, Map<String, String> values)
            throws SQLException {
        List<String> arguments = new ArrayList<>(java.util.Collections.nCopies(statement.count(), ""));
        List<String> types = new ArrayList<>(java.util.Collections.nCopies(statement.count(), ""));
        statement
                .places()
                .forEach((name, places) -> places.forEach(place -> {
                    arguments.set(place, String.valueOf(values.get(name)));
                    types.set(place, List.of("min", "max", "limit").contains(name) ? "bigint" : "text");
                }));
        StringBuilder sql = new StringBuilder();
        int place = 0;
        for (char c : statement.sql().toCharArray()) {
            sql.append(c == '?' ? "$" + ++place : String.valueOf(c));
        }
        try (var session = connection.createStatement()) {
            session.execute("set plan_cache_mode = force_generic_plan");
            session.execute("prepare page (" + String.join(", ", types) + ") as " + sql);
            StringBuilder plan = new StringBuilder();
            try (var lines = session.executeQuery(
                    "explain (analyze, costs off, timing off) execute page (" + String.join(", ", arguments) + ")")) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            return plan.toString();
        }
    }
}
