package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The lists of approvals, agents, runs and transcripts walk an index and read no more rows than they show, from the middle and
 * however many there are: under the plan of a named statement, and under one made for its values. BL-17.
 */
class ListPlanTest {

    private static final int ROWS = Integer.getInteger("holdfast.test.rows", 20_000);

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void fill() {
        database = TestDatabase.migrated("lists");
        holdfast = Holdfast.open(database.dataSource());
        String made = "timestamptz '2026-01-01' + g * interval '1 second'";
        String rows = " from generate_series(1, " + ROWS + ") g";
        database.execute(
                // One tenant in ten rows; one in a hundred waits or is at work, the rest is over.
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, valid_ms, expires_at,"
                        + " verdict, decided_by, decided_reason, decided_at)"
                        + " select 't' || g % 10, 'ap-' || g, 'run-' || g / 100, '{}', repeat('a', 64),"
                        + " case when g / 10 % 10 = 0 then 'pending' else 'rejected' end, " + made + ", 1000, " + made
                        + " + interval '1 second', case when g / 10 % 10 > 0 then 'rejected' end,"
                        + " case when g / 10 % 10 > 0 then 'ann' end, case when g / 10 % 10 > 0 then '' end,"
                        + " case when g / 10 % 10 > 0 then " + made + " end" + rows,
                "insert into holdfast.agent_checkpoint (scope, run_id, status, revision, phase, payload, token, created_at,"
                        + " updated_at) select 't' || g % 10, 'run-' || g,"
                        + " case when g / 10 % 10 = 0 then 'running' else 'finished' end, 1,"
                        + " case when g / 10 % 10 = 0 then 'model_next' end, case when g / 10 % 10 = 0 then '{}' end, 1, "
                        + made + ", " + made + rows,
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select scope, 'run', run_id, 'w', 1, 1000, created_at, timestamptz '2100-01-01'"
                        + " from holdfast.agent_checkpoint",
                "insert into holdfast.run (scope, id, status, input, state, metadata, last_seq)"
                        + " select 't' || g % 10, 'run-' || g, 'running', '{}', '{}', '{}',"
                        + " case when g = 1 then 1000 else 1 end" + rows,
                "insert into holdfast.run_event (scope, run_id, seq, type, payload, at)"
                        + " select 't' || g % 10, 'run-' || g, 1, 'x', '{}', " + made + rows,
                "insert into holdfast.run_event (scope, run_id, seq, type, payload, at)"
                        + " select 't1', 'run-1', g, 'x', '{}', " + made + " from generate_series(2, 1000) g",
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, watched, state,"
                        + " state_version, events) select 't' || g % 10, 'run-' || g, 'workflow', '{}', 'd', 'running', true,"
                        + " '{}', 1, case when g = 1 then 1000 else 1 end" + rows,
                "insert into holdfast.execution_event (scope, run_id, sequence, type, payload, at)"
                        + " select scope, run_id, seq, type, payload, at from holdfast.run_event",
                "insert into holdfast.execution_step (scope, run_id, ordinal, step_key, outcome, output, ended_at)"
                        + " select scope, run_id, sequence, 'a#' || sequence, 'completed', '{}', at from holdfast.execution_event",
                "insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key,"
                        + " status, created_at, updated_at) select scope, run_id, sequence, 'a#' || sequence, 0,"
                        + " md5(run_id || sequence) || md5(scope), run_id || '-' || sequence, 'confirmed', at, at"
                        + " from holdfast.execution_event",
                "insert into holdfast.workspace_session (scope, id, message_count, payload)"
                        + " select 't' || g % 10, 'session-' || g, 0, '{}'" + rows,
                "analyze");
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @ParameterizedTest
    @CsvSource({
        "ApprovalLists, IN_STATE, approval_status, 10",
        "ApprovalLists, OF_RUN, approval_run, 10",
        "ApprovalLists, WITHDRAW_EXPIRED, approval_expiry, 10",
        "JpaAgentCheckpoints, INCOMPLETE, agent_checkpoint_status, 10",
        "JpaRuns, LIST, run_pk, 10",
        "JpaRuns, EVENTS, run_event_pk, 10",
        "JpaExecutionJournal, READ, execution_event_pk, 31",
        "JpaSessions, LIST, workspace_session_pk, 10",
    })
    void aPageFromTheMiddleReadsAnIndexAndNoMoreRowsThanItShows(String owner, String field, String index, int rows)
            throws Exception {
        boolean events = field.equals("EVENTS") || field.equals("READ");
        Map<String, String> values = new HashMap<>(Map.of(
                "scope", "'t1'",
                "status", owner.equals("ApprovalLists") ? "'pending'" : "'running'",
                "run", field.equals("OF_RUN") ? "'run-1'" : "'run-5001'",
                "id", events ? "'run-1'" : "'ap-5001'",
                "at", field.equals("OF_RUN") ? "'-infinity'" : "'2026-01-01 01:00:00+00'",
                "after", events ? "500" : owner.equals("JpaRuns") ? "'run-5'" : "'session-5'",
                "limit", "10"));
        values.putAll(
                Map.of("up_to", "510", "steps_to", "510", "effects_to", "510", "events_to", "510", "whole", "false"));
        List<String> numbers = new ArrayList<>(List.of("limit", "up_to", "steps_to", "effects_to", "events_to"));
        if (events) {
            numbers.add("after");
        }
        for (String mode : Plan.MODES) {
            Plan plan = Plan.of(database, holdfast, mode, owner, field, values, numbers);
            assertThat(plan.text()).contains(index).doesNotContain("Seq Scan");
            assertThat(plan.rows()).as(plan.text()).isLessThanOrEqualTo(rows);
        }
    }
}
