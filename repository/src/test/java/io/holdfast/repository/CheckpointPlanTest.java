package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each statement on checkpoints walks an index and reads no more rows than it shows or writes, however long a history is and
 * however many runs there are: under the plan of a named statement, and under one made for its values.
 */
class CheckpointPlanTest {

    private static final int ROWS = Integer.getInteger("holdfast.test.rows", 20_000);
    private static final List<String> NUMBERS =
            List.of("revision", "steps", "after_revision", "limit", "age", "kept", "token", "history_from");
    private static final String HASH = "'" + "ab".repeat(32) + "'";

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void fill() {
        database = TestDatabase.migrated("checkpoints");
        holdfast = Holdfast.open(database.dataSource());
        String made = "timestamptz '2026-01-01' + g * interval '1 second'";
        String runs =
                "insert into holdfast.checkpoint (scope, run_id, parent_run_id, path, definition_hash, status, steps,"
                        + " revision, history_from, created_at, updated_at) select ";
        database.execute(
                // One tenant in ten runs; one run in ten is running, of which most are held; one has a long history.
                runs + "'t' || g % 10, 'run-' || g, null, 'run-' || g || e'\\t', " + HASH
                        + ", case when g / 10 % 10 = 0 then 'running' else 'completed' end, 1, 2, 1, " + made + ", "
                        + made + " from generate_series(1, " + ROWS + ") g",
                runs + "'t1', 'run-1/a#' || g, 'run-1', e'run-1\\t/a\\tz' || to_char(g, 'FM000000'), " + HASH
                        + ", 'running', 1, 2, 1, " + made + ", " + made + " from generate_series(1, " + ROWS / 10
                        + ") g",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select scope, 'run', run_id, 'w', 1, 1000, created_at, timestamptz '2100-01-01'"
                        + " from holdfast.checkpoint where status = 'running' and right(run_id, 3) <> '001'",
                "insert into holdfast.checkpoint_entry (scope, run_id, revision, definition_hash, status, steps,"
                        + " state, details, saved_at) select scope, run_id, g, definition_hash, status, 1, '{}', '{}',"
                        + " created_at from holdfast.checkpoint, generate_series(1, 2) g",
                "update holdfast.checkpoint set revision = 1000 where scope = 't1' and run_id = 'run-1'",
                "insert into holdfast.checkpoint_entry (scope, run_id, revision, definition_hash, status, steps,"
                        + " state, details, saved_at) select 't1', 'run-1', g, " + HASH
                        + ", 'running', 1, '{}', '{}', clock_timestamp() from generate_series(3, 1000) g",
                "analyze holdfast.checkpoint",
                "analyze holdfast.checkpoint_entry",
                "analyze holdfast.lease");
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @ParameterizedTest // W23: a page of ten reads ten entries of a thousand
    @CsvSource({
        "StoredCheckpoint, FIND, checkpoint_pk, 1",
        "CheckpointLists, HISTORY, checkpoint_entry_pk, 10",
        "CheckpointLists, CHILDREN, checkpoint_path, 10",
        "CheckpointLists, IDENTITIES, checkpoint_pk, 2",
        "CheckpointSave, SAVE, checkpoint_pk, 1",
        "CheckpointCreate, CREATE, checkpoint_pk, 2",
        "CheckpointPurge, PURGE, checkpoint_finished, 40",
    })
    void aStatementReadsAnIndexAndNoMoreThanItNeeds(String owner, String statement, String index, int rows)
            throws Exception {
        for (String mode : Plan.MODES) {
            Plan plan = plan(mode, owner, statement);
            assertThat(plan.text()).contains(index).doesNotContain("Seq Scan");
            assertThat(plan.rows()).as(plan.text()).isLessThanOrEqualTo(rows);
        }
    }

    @Test // W19: who is at work is passed by, and nothing is read of runs that have ended or are children
    void whatIsLeftBehindIsFoundAmongWhatRuns() throws Exception {
        for (String mode : Plan.MODES) {
            Plan plan = plan(mode, "CheckpointLists", "INCOMPLETE");
            assertThat(plan.text())
                    .contains("checkpoint_incomplete", "lease_pk")
                    .doesNotContain("Seq Scan");
            assertThat(plan.rows()).as(plan.text()).isLessThanOrEqualTo(ROWS / 100.0);
        }
    }

    private static Map<String, String> values(String name) {
        String incarnation =
                database.value("select incarnation from holdfast.checkpoint where scope = 't1' and run_id = 'run-1'");
        boolean list = name.equals("CHILDREN");
        return Map.ofEntries(
                Map.entry("scope", "'t1'"),
                Map.entry("run", name.equals("CREATE") ? "'new'" : "'run-1'"),
                Map.entry("runs", "'{run-1,run-11}'"),
                Map.entry("after", list ? "e'run-1\\t/a\\tz000100'" : "500"),
                Map.entry("beyond", "e'run-1\\t0'"),
                Map.entry("limit", "10"),
                Map.entry("at", "'-infinity'"),
                Map.entry("id", "''"),
                Map.entry("age", "0"),
                Map.entry("kept", "0"),
                Map.entry("revision", "1000"),
                Map.entry("steps", "2"),
                Map.entry("owner", "'w'"),
                Map.entry("token", "1"),
                Map.entry("status", "'running'"),
                Map.entry("definition_hash", HASH),
                Map.entry("state", "'{}'"),
                Map.entry("details", "'{}'"),
                Map.entry("path", "e'new\\t'"),
                Map.entry("incarnation", "'" + incarnation + "'"),
                Map.entry("forked_run", "'run-1'"),
                Map.entry("forked_revision", "'1'"),
                Map.entry("forked_steps", "'1'"),
                Map.entry("forked_changed", "'true'"),
                Map.entry("history_from", "1"));
    }

    private static Plan plan(String mode, String owner, String name) throws Exception {
        List<String> numbers = new ArrayList<>(NUMBERS);
        if (name.equals("HISTORY")) {
            numbers.add("after");
        }
        return Plan.of(database, holdfast, mode, owner, name, values(name), numbers);
    }
}
