package io.holdfast.repository.race;

import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalState;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.journal.RunStatus;
import java.time.Duration;

/** A run {@code run} that has ended, in every store, and the policies under which nothing of it stays. */
record EndedRun(Race race) {

    static final String RUN = "run";

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final RetentionPace PACE = new RetentionPace(100, MINUTE, 0, Duration.ZERO, MINUTE);
    private static final Keep NONE = Keep.newest(0);

    static final RetentionRule NO_JOURNAL = RetentionRule.KEEP_ALL.withJournals(RunStatus.COMPLETED, NONE);

    static final RetentionRule NOTHING = NO_JOURNAL
            .withJournals(RunStatus.FAILED, NONE)
            .withCheckpoints(CheckpointStatus.COMPLETED, NONE)
            .withApprovals(ApprovalState.CONSUMED, NONE)
            .withApprovals(ApprovalState.WITHDRAWN, NONE)
            .withAgents(AgentStatus.FINISHED, NONE)
            .withRuns("done", NONE);

    /** All there is of it, in every store. */
    static final Removed ALL = Removed.of(Kind.JOURNALS, 1)
            .plus(Removed.of(Kind.CHECKPOINTS, 1))
            .plus(Removed.of(Kind.APPROVALS, 1))
            .plus(Removed.of(Kind.AGENTS, 1))
            .plus(Removed.of(Kind.RUNS, 1));

    static EndedRun everywhere(Race race) {
        EndedRun run = new EndedRun(race)
                .journal(RUN, "completed")
                .checkpoint(RUN, "completed")
                .agent(RUN, "finished");
        run.approval("ap", "withdrawn");
        run.row("done");
        return run;
    }

    EndedRun journal(String id, String status) {
        race.sql("insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, watched, state,"
                + " state_version) values (:scope, '" + id + "', 'workflow', '{}', 'digest', '" + status + "', false,"
                + " '{}', 1)");
        return this;
    }

    EndedRun effect(String status) {
        race.sql("update holdfast.execution set effects = effects + 1 where scope = :scope and id = 'run'");
        race.sql("insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id,"
                + " idempotency_key, status, created_at, updated_at) values (:scope, 'run', 1, 'a#1', 0, repeat('a', 64),"
                + " 'key', '" + status + "', clock_timestamp(), clock_timestamp())");
        return this;
    }

    EndedRun checkpoint(String id, String status) {
        race.sql("insert into holdfast.checkpoint (scope, run_id, path, definition_hash, status, node, steps, revision,"
                + " history_from) values (:scope, '" + id + "', 'path', repeat('a', 64), '" + status
                + "', 'a', 1, 3, 1)");
        race.sql("insert into holdfast.checkpoint_entry (scope, run_id, revision, definition_hash, status, node, steps,"
                + " state, details, saved_at) select :scope, '" + id + "', g, repeat('a', 64), '" + status
                + "', 'a', 1, '{}', '{}', clock_timestamp() from generate_series(1, 3) g");
        return this;
    }

    EndedRun agent(String id, String status) {
        boolean over = status.equals("finished");
        race.sql("insert into holdfast.agent_checkpoint (scope, run_id, status, revision, phase, payload, created_at,"
                + " updated_at) values (:scope, '" + id + "', '" + status + "', 1, " + (over ? "null" : "'model_next'")
                + ", " + (over ? "null" : "'{}'") + ", clock_timestamp(), clock_timestamp())");
        return this;
    }

    EndedRun approval(String id, String status) {
        boolean withdrawn = status.equals("withdrawn");
        race.sql(
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, withdrawn_reason,"
                        + " withdrawn_at) values (:scope, '" + id + "', 'run', '{}', repeat('a', 64), '" + status
                        + "', clock_timestamp(), " + (withdrawn ? "'', clock_timestamp()" : "null, null") + ")");
        return this;
    }

    EndedRun row(String status) {
        race.sql(
                "insert into holdfast.run (scope, id, status, last_seq, input, state, metadata) values (:scope, 'run', '"
                        + status + "', 1, '{}', '{}', '{}')");
        race.sql("insert into holdfast.run_event (scope, run_id, seq, type, payload, at) values (:scope, 'run', 1, 't',"
                + " '{}', clock_timestamp())");
        return this;
    }

    Removed run(RetentionRule rule) {
        return run(rule, PACE);
    }

    Removed run(RetentionRule rule, RetentionPace pace) {
        return race.stores
                .cleanup()
                .run(RetentionPolicy.of(rule), pace, removed -> {})
                .total();
    }

    Removed plan(RetentionRule rule) {
        return race.stores.cleanup().plan(RetentionPolicy.of(rule)).total();
    }
}
