package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalState;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.Purged;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.failure.StateConflictException;
import io.holdfast.journal.RunStatus;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application's table refers to rows that are due: they stay, and keep no other from going. */
class RetentionReferredTest {

    private static final Scope SCOPE = Scope.of("shop");
    private static final Keep NONE = Keep.during(Duration.ZERO);
    private static final RetentionPace FAST =
            new RetentionPace(40, Duration.ofMinutes(1), 0, Duration.ZERO, Duration.ofMinutes(1));
    private static final Cutoff NOW = new Cutoff(Duration.ZERO, Duration.ZERO, 40);

    /** The ids of those that are referred to: the first, the last, and two in a row. */
    private static final String REFERRED = "x-001 x-050 x-051 x-100";

    private static final String EACH = " from (select 'x-' || lpad(g::text, 3, '0') as id,"
            + " clock_timestamp() - interval '1 day' + g * interval '1 minute' as t from generate_series(1, 100) g) x";

    /** What an application may refer to, and what fills it with a hundred rows that are due. */
    private enum Referred {
        WORKFLOW(
                Kind.WORKFLOWS,
                "workflow",
                "scope, id",
                RetentionRule.KEEP_ALL.with(WorkflowStatus.SUCCEEDED, NONE),
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, created_at, updated_at)"
                        + " select 'shop', id, 'r', 'succeeded', 1, '{}', t, t" + EACH),
        KEY(
                Kind.KEYS,
                "idempotency_key",
                "scope, key",
                RetentionRule.KEEP_ALL.withExpired(Duration.ZERO),
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, created_at,"
                        + " expires_at) select 'shop', id, 1, 'r', 'w', 'reserved', t, t" + EACH),
        LEASE(
                Kind.LEASES,
                "lease",
                "scope, kind, id",
                RetentionRule.KEEP_ALL.withExpired(Duration.ZERO),
                "insert into holdfast.lease_floor (scope) values ('shop')",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select 'shop', 'k', id, 'w', 1, 1000, t, t" + EACH,
                // between them, those that live
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select 'shop', 'k', id || '~', 'w', 1, 1000, t, '2100-01-01'" + EACH),
        RUN(Kind.RUNS, "run", "scope, id", RetentionRule.KEEP_ALL.withRuns("done", NONE), Sql.RUNS, Sql.EVENTS),
        EVENT_OF_A_RUN(
                Kind.RUNS,
                "run_event",
                "scope, run_id, seq",
                RetentionRule.KEEP_ALL.withRuns("done", NONE),
                Sql.RUNS,
                Sql.EVENTS),
        JOURNAL(
                Kind.JOURNALS,
                "execution",
                "scope, id",
                RetentionRule.KEEP_ALL.withJournals(RunStatus.COMPLETED, NONE),
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, watched, state,"
                        + " state_version, updated_at) select 'shop', id, 'workflow', '{}', 'digest', 'completed', false,"
                        + " '{}', 1, t" + EACH),
        HISTORY(
                Kind.ENTRIES,
                "checkpoint_entry",
                "scope, run_id, revision",
                RetentionRule.KEEP_ALL.withHistories(Keep.newest(1)),
                Sql.CHECKPOINTS,
                Sql.ENTRIES),
        CHECKPOINT(
                Kind.CHECKPOINTS,
                "checkpoint",
                "scope, run_id",
                RetentionRule.KEEP_ALL.withCheckpoints(CheckpointStatus.COMPLETED, NONE),
                Sql.CHECKPOINTS,
                Sql.ENTRIES),
        APPROVAL(
                Kind.APPROVALS,
                "approval",
                "scope, id",
                RetentionRule.KEEP_ALL.withApprovals(ApprovalState.WITHDRAWN, NONE),
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, withdrawn_reason,"
                        + " withdrawn_at) select 'shop', id, id, '{}', repeat('a', 64), 'withdrawn', t, '', t" + EACH),
        AGENT(
                Kind.AGENTS,
                "agent_checkpoint",
                "scope, run_id",
                RetentionRule.KEEP_ALL.withAgents(AgentStatus.FINISHED, NONE),
                "insert into holdfast.agent_checkpoint (scope, run_id, status, revision, created_at, updated_at)"
                        + " select 'shop', id, 'finished', 1, t, t" + EACH),
        SESSION(
                Kind.SESSIONS,
                "workspace_session",
                "scope, id",
                RetentionRule.KEEP_ALL.withSessions(NONE),
                "insert into holdfast.workspace_session (scope, id, message_count, payload, created_at, updated_at)"
                        + " select 'shop', id, 1, '{}', t, t" + EACH);

        /** Of those that several fill. */
        private static final class Sql {
            static final String RUNS = "insert into holdfast.run (scope, id, status, last_seq, input, state, metadata,"
                    + " created_at, updated_at) select 'shop', id, 'done', 1, '{}', '{}', '{}', t, t" + EACH;
            static final String EVENTS = "insert into holdfast.run_event (scope, run_id, seq, type, payload, at)"
                    + " select 'shop', id, 1, 't', '{}', t" + EACH;
            static final String CHECKPOINTS = "insert into holdfast.checkpoint (scope, run_id, path, definition_hash,"
                    + " status, node, steps, revision, history_from, updated_at) select 'shop', id, 'path', repeat('a', 64),"
                    + " 'completed', 'a', 1, 3, 1, t" + EACH;
            static final String ENTRIES = "insert into holdfast.checkpoint_entry (scope, run_id, revision,"
                    + " definition_hash, status, node, steps, state, details, saved_at) select 'shop', id, r,"
                    + " repeat('a', 64), 'completed', 'a', 1, '{}', '{}', t" + EACH
                    + " cross join generate_series(1, 3) r";
        }

        private final Kind kind;
        private final String table;
        private final String key;
        private final RetentionPolicy policy;
        private final String[] filling;

        Referred(Kind kind, String table, String key, RetentionRule rule, String... filling) {
            this.kind = kind;
            this.table = table;
            this.key = key;
            this.policy = RetentionPolicy.of(rule);
            this.filling = filling;
        }

        /** The column with our id. */
        private String id() {
            return key.split(", ")[this == LEASE ? 2 : 1];
        }
    }

    private final TestDatabase database = TestDatabase.migrated("referred");
    private final Holdfast holdfast = Holdfast.open(database.dataSource());
    private final Stores stores = holdfast.in(SCOPE);

    @AfterEach
    void close() {
        holdfast.close();
        database.close();
    }

    private void fill(Referred which) {
        database.execute(which.filling);
        database.execute(
                "create table invoice as select " + which.key + " from holdfast." + which.table + " where " + which.id()
                        + " = any(string_to_array('" + REFERRED + "', ' '))",
                "alter table invoice add constraint invoice_of foreign key (" + which.key + ") references holdfast."
                        + which.table);
    }

    /** What is left of it, with more than is kept of each in any case. */
    private String left(Referred which) {
        return database.value("select string_agg(i, ' ' order by i) from (select " + which.id() + " as i from holdfast."
                + which.table + " where " + which.id() + " not like '%~' group by 1"
                + (which == Referred.HISTORY ? " having count(*) > 1" : "") + ") l");
    }

    private RetentionReport run(Referred which, List<Removed> told) {
        return stores.cleanup().run(which.policy, FAST, told::add);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SESSION")
    void aRunPassesThemByAndRemovesTheOthers(Referred which) {
        fill(which);
        int each = which == Referred.HISTORY ? 2 : 1;
        List<Removed> told = new ArrayList<>();
        RetentionReport report = run(which, told);
        assertThat(report.total()).isEqualTo(Removed.of(which.kind, 96 * each));
        assertThat(report.complete()).isTrue();
        assertThat(told).last().isEqualTo(report.total());
        assertThat(left(which)).isEqualTo(REFERRED);
        assertThat(run(which, told).total()).as("the next finds the same").isEqualTo(Removed.NOTHING);
        database.execute("delete from invoice");
        assertThat(run(which, told).total()).isEqualTo(Removed.of(which.kind, 4 * each));
    }

    @Test
    void aTranscriptIsEmptiedAndStaysSoItMayBeReferredTo() {
        fill(Referred.SESSION);
        assertThat(run(Referred.SESSION, new ArrayList<>()).total()).isEqualTo(Removed.of(Kind.SESSIONS, 100));
    }

    /** Oldest first, so the first call meets one of them at once. */
    private void passesThemBy(Referred which, int limit, ToIntFunction<Integer> call) {
        fill(which);
        int removed = 0;
        for (int calls = 96 / limit; calls > 0; calls--) {
            assertThat(call.applyAsInt(limit)).isEqualTo(limit);
            removed += limit;
        }
        assertThat(call.applyAsInt(limit)).isEqualTo(96 - removed);
        assertThat(call.applyAsInt(limit)).isZero();
        assertThat(left(which)).isEqualTo(REFERRED);
    }

    private int pass(int limit) {
        return stores.cleanup()
                .pass(new Cutoff(Duration.ZERO, Duration.ZERO, limit))
                .total();
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKFLOW", "KEY", "LEASE"})
    void aPassPassesThemByAndRemovesTheOthers(Referred which) {
        passesThemBy(which, 40, this::pass);
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKFLOW", "KEY", "LEASE"})
    void aPassOfOneRowPassesThemByToo(Referred which) {
        passesThemBy(which, 1, this::pass);
    }

    @Test
    void aPurgeOfJournalsPassesThemByAndRemovesTheOthers() {
        passesThemBy(Referred.JOURNAL, 40, limit -> stores.journal().purge(Duration.ZERO, limit));
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKPOINT", "HISTORY"})
    void aPurgeOfCheckpointsPassesThemByAndRemovesTheOthers(Referred which) {
        int kept = which == Referred.HISTORY ? 1 : 0;
        passesThemBy(which, 40, limit -> {
            Purged purged = stores.checkpoints().purge(Duration.ZERO, kept, limit);
            assertThat(purged.entries()).isEqualTo(purged.runs() * (3 - kept));
            return purged.runs();
        });
    }

    /** Else a call would have no end where an application refers to nearly all there is. */
    @Test
    void aPassEndsWhereManyAreReferredToAndARunGoesOn() {
        database.execute(Referred.WORKFLOW.filling);
        database.execute(
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, created_at, updated_at)"
                        + " select scope, 'y' || id, request_id, status, revision, snapshot, created_at + interval '2 hours',"
                        + " updated_at + interval '2 hours' from holdfast.workflow",
                "create table invoice (scope text, id text, foreign key (scope, id) references holdfast.workflow)",
                "insert into invoice select scope, id from holdfast.workflow where id like 'x-%' or id = 'yx-001'");
        assertThat(stores.cleanup().pass(NOW)).isEqualTo(Removed.NOTHING);
        assertThat(run(Referred.WORKFLOW, new ArrayList<>()).total()).isEqualTo(Removed.of(Kind.WORKFLOWS, 99));
    }

    /** There a statement that is refused is the end of the transaction: nothing is searched for, and what is in the way is named. */
    @Test
    void inACallersTransactionItIsSaidWhatIsInTheWay() {
        fill(Referred.WORKFLOW);
        assertThatThrownBy(() ->
                        holdfast.atomically(bound -> bound.in(SCOPE).cleanup().pass(NOW)))
                .isInstanceOfSatisfying(StateConflictException.class, RetentionReferredTest::namesTheConstraint);
        assertThat(database.value("select count(*) from holdfast.workflow")).isEqualTo("100");
    }

    @Test
    void inACallersTransactionThePurgesSayWhatIsInTheWay() {
        fill(Referred.JOURNAL);
        assertThatThrownBy(() ->
                        holdfast.atomically(bound -> bound.in(SCOPE).journal().purge(Duration.ZERO, 40)))
                .isInstanceOfSatisfying(StateConflictException.class, RetentionReferredTest::namesTheConstraint);
        database.execute("drop table invoice");
        fill(Referred.CHECKPOINT);
        assertThatThrownBy(() -> holdfast.atomically(
                        bound -> bound.in(SCOPE).checkpoints().purge(Duration.ZERO, 0, 40)))
                .isInstanceOfSatisfying(StateConflictException.class, RetentionReferredTest::namesTheConstraint);
        assertThat(database.value("select count(*) from holdfast.execution, holdfast.checkpoint"))
                .isEqualTo("10000");
    }

    private static void namesTheConstraint(HoldfastException error) {
        assertThat(error)
                .hasMessageContaining("a foreign key of the application's, invoice_of, refers to what was to go");
        assertThat(error.details()).containsEntry("constraint", "invoice_of");
    }
}
