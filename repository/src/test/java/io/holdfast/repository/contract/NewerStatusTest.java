package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.QUEUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.agent.AgentPage;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.AgentStatus;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Consumption.Obstacle;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointSummary;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.checkpoint.Waiting;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.codec.Document;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.InvalidSnapshotException;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Begun;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowSummary;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** BL-25, H47: a row of a newer release, with a status that this one does not know. */
class NewerStatusTest {

    private static final String OUTCOME = "sha256:" + "a".repeat(64);
    private static final Checkpoint FIRST =
            Checkpoint.first(Definition.of(new DefinitionHash("ab".repeat(32))), "a", Document.EMPTY);

    @Test
    void theDatabaseTakesNoUnknownStatusAndAReaderOfOneIsToldSo() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            for (String id : List.of("wf-1", "wf-2", "wf-3")) {
                stores.workflows().create(WorkflowState.create(id, "req-1"), Map.of());
            }
            Workflow read = stores.workflows().find("wf-2").orElseThrow();
            String pause = "update holdfast.workflow set status = 'paused_v2' where id = 'wf-2'";
            assertThatThrownBy(() -> database.execute(pause)).hasMessageContaining("workflow_status_known");

            database.execute("alter table holdfast.workflow drop constraint workflow_status_known", pause);
            assertThat(stores.workflows().list("", 10))
                    .extracting(WorkflowSummary::status)
                    .containsExactly("created", "paused_v2", "created");
            assertThatThrownBy(() -> stores.workflows().find("wf-2")).isInstanceOf(InvalidSnapshotException.class);
            WorkflowState queued = WorkflowRules.transition(read.state(), QUEUED, "e1", Contract.AT);
            Fence fence = ((Acquisition.Granted)
                            stores.leases().acquire(LeaseKey.ofWorkflow("wf-2"), "worker", Duration.ofSeconds(60)))
                    .lease()
                    .fence();
            Workflow stale = new Workflow(
                    read.state(),
                    7,
                    read.incarnation(),
                    read.cancelRequest(),
                    read.labels(),
                    read.createdAt(),
                    read.updatedAt());
            assertThatThrownBy(() -> stores.workflows().update(stale, queued)).isInstanceOf(HoldfastException.class);
            assertThatThrownBy(() -> stores.workflows().updateFenced(read, queued, fence))
                    .isInstanceOf(HoldfastException.class);
            assertThat(stores.workflows().create(read.state(), Map.of())).isInstanceOf(Creation.class);
            assertThat(holdfast.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)))
                    .isEqualTo(new Removed(0, 0, 0));
            assertThat(database.value("select status from holdfast.workflow where id = 'wf-2'"))
                    .isEqualTo("paused_v2");
        }
    }

    /** Neither reserved nor completed is what this release knows; whether the work was done, only the newer one can say. */
    @Test
    void aKeyOfAnUnknownStatusIsNeitherResumedNorCompletedNorReservedAnew() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            Workflow read = ((Creation.Created) stores.workflows().create(WorkflowState.create("wf", "req"), Map.of()))
                    .workflow();
            Fence fence = ((Acquisition.Granted)
                            stores.leases().acquire(LeaseKey.ofWorkflow("wf"), "worker", Duration.ofSeconds(60)))
                    .lease()
                    .fence();
            Step step = new Step("wf", "key", "req");
            KeyClaim claim = ((Begun.New) stores.steps().begin(step, fence)).claim();
            WorkflowState next = WorkflowRules.transition(read.state(), QUEUED, "e1", Contract.AT);
            StepResult result = new StepResult(read, next, OUTCOME, LeaseAfter.RELEASE);
            withoutChecks(database, "idempotency_key");
            database.execute("update holdfast.idempotency_key set status = 'parked'");
            List<ThrowingCallable> deeds = List.of(
                    () -> stores.idempotencyKeys().reserve("key", "req", "wf", KeepFor.DEFAULT),
                    () -> stores.idempotencyKeys().reserve("key", "another", KeepFor.DEFAULT),
                    () -> stores.idempotencyKeys().complete(claim, OUTCOME),
                    () -> stores.idempotencyKeys().completeFenced(claim, OUTCOME, fence),
                    () -> stores.idempotencyKeys().find("key"),
                    () -> stores.steps().begin(step, fence),
                    () -> stores.steps().finish(claim, result, fence),
                    () -> stores.steps().step(step, result, fence));
            for (String end : List.of("expires_at", "created_at")) { // also when its time is over
                database.execute("update holdfast.idempotency_key set expires_at = " + end);
                String stored = stored(database);
                namesTheKey(deeds);
                assertThat(stored(database)).isEqualTo(stored);
            }
            database.execute("update holdfast.lease set owner = null");
            assertThat(holdfast.cleanup()
                            .pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10))
                            .keys())
                    .as("nor removed, though nobody is at it")
                    .isZero();
        }
    }

    private static void namesTheKey(List<ThrowingCallable> deeds) {
        assertThat(deeds)
                .allSatisfy(deed -> assertThatThrownBy(deed)
                        .isInstanceOf(CorruptRecordException.class)
                        .hasMessageContainingAll("idempotency key \"key\"", "status"));
    }

    /** The key, its workflow and the lease of that, as they are stored. */
    private static @Nullable String stored(TestDatabase database) {
        return database.value(
                "select concat_ws(' ', i, w, x) from holdfast.idempotency_key i, holdfast.workflow w, holdfast.lease x");
    }

    /** What a newer release calls it is not taken for an approval. */
    @Test
    void anApprovalOfAnUnknownStatusIsNotConsumedAndNamed() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            ApprovalRequest request = ApprovalRequest.of("ap-1", "run-1", Map.of("tool", "charge"), Expiry.DEFAULT);
            stores.approvals().register(request);
            stores.approvals().decide("ap-1", Decision.approve(request.digest(), "ann"));
            Fence fence = ((Acquisition.Granted)
                            stores.leases().acquire(LeaseKey.ofRun("run-1"), "worker", Duration.ofSeconds(60)))
                    .lease()
                    .fence();
            withoutChecks(database, "approval");
            database.execute("update holdfast.approval set status = 'paused_v2'");
            ApprovalUse use = new ApprovalUse("ap-1", "run-1", request.digest(), StepKey.visit("charge", 3));
            assertThatThrownBy(() -> stores.approvals().consume(use, fence))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("approval \"ap-1\"")
                    .hasMessageContaining("status");
            assertThatThrownBy(() -> stores.approvals().find("ap-1")).isInstanceOf(CorruptRecordException.class);
            assertThat(database.value("select status || coalesce(consumed_by, '') from holdfast.approval"))
                    .isEqualTo("paused_v2");
        }
    }

    @Test
    void anApprovalOfAnUnknownStatusIsNeitherDecidedNorTakenBack() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Approvals approvals = holdfast.in(Scope.of("s")).approvals();
            ApprovalRequest request = ApprovalRequest.of("ap-1", "run-1", Map.of("tool", "charge"), Expiry.DEFAULT);
            approvals.register(request);
            withoutChecks(database, "approval");
            database.execute("update holdfast.approval set status = 'escalated'");
            assertThatThrownBy(() -> approvals.decide("ap-1", Decision.approve(request.digest(), "ann")))
                    .isInstanceOf(CorruptRecordException.class);
            assertThatThrownBy(() -> approvals.withdraw("ap-1", "ann", "")).isInstanceOf(CorruptRecordException.class);
            database.execute("update holdfast.approval set expires_at = created_at");
            assertThat(approvals.withdrawExpired(10)).isEmpty();
            assertThat(database.value("select status || coalesce(verdict, '') from holdfast.approval"))
                    .isEqualTo("escalated");
        }
    }

    private static void withoutChecks(TestDatabase database, String table) {
        database.execute("do $$ declare c text; begin for c in select conname from pg_constraint where contype = 'c'"
                + " and conrelid = 'holdfast." + table + "'::regclass loop execute 'alter table holdfast." + table
                + " drop constraint ' || c; end loop; end $$");
    }

    /** What cannot be read cannot be written over, since a write names the revision that was read; and others are listed. */
    @Test
    void aRunOfAnUnknownStatusIsNamedAndNotWrittenOver() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            Map<String, Opened.Done> opened = new HashMap<>();
            Map<String, SavedCheckpoint> created = new HashMap<>();
            for (String id : List.of("run-1", "run-2", "run-3")) {
                NewRun run = NewRun.of(id, RunKind.AGENT, "d", "{}");
                Opened.Done done = (Opened.Done) stores.journal().open(run, "worker", Duration.ofMinutes(1));
                opened.put(id, done);
                stores.agentCheckpoints().save(id, 0, agent(id), done.lease().fence());
                stores.checkpoints().create(RunStart.of(id), FIRST);
                created.put(id, stores.checkpoints().find(id).orElseThrow());
            }
            Fence fence = opened.get("run-2").lease().fence();
            List.of("execution", "checkpoint", "checkpoint_entry", "agent_checkpoint")
                    .forEach(table -> withoutChecks(database, table));
            database.execute(
                    "update holdfast.execution set status = 'paused_v2', revision = 2 where id = 'run-2'",
                    "update holdfast.checkpoint set status = 'paused_v2', revision = 2 where run_id = 'run-2'",
                    "update holdfast.checkpoint_entry set status = 'paused_v2', revision = 2 where run_id = 'run-2'",
                    "update holdfast.agent_checkpoint set status = 'paused_v2', phase = 'resting', revision = 2,"
                            + " payload = replace(payload, 'model_next', 'resting') where run_id = 'run-2'");

            assertThatThrownBy(() -> stores.journal().find("run-2")).isInstanceOf(CorruptRecordException.class);
            assertThatThrownBy(() -> stores.checkpoints().find("run-2")).isInstanceOf(CorruptRecordException.class);
            assertThatThrownBy(() -> stores.agentCheckpoints().load("run-2"))
                    .isInstanceOf(CorruptRecordException.class);

            JournalCommit commit = JournalCommit.to(opened.get("run-2").head())
                    .status(RunStatus.RUNNING)
                    .build();
            assertThat(stores.journal().commit(fence, commit)).isEqualTo(new Committed.RevisionConflict(2));
            JournalCommit any =
                    JournalCommit.toAny("run-2").status(RunStatus.RUNNING).build();
            assertThatThrownBy(() -> stores.journal().commit(fence, any))
                    .as("nor by who names no revision")
                    .isInstanceOf(CorruptRecordException.class);
            assertThat(dispatched(stores, fence)).isEqualTo(new Consumption.NotEntered(Obstacle.RUN_NEWER));
            EffectId effect = new EffectId("0".repeat(64));
            database.execute(
                    "insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key,"
                            + " status, created_at, updated_at) values ('s', 'run-2', 1, 'a#1', 0, '" + effect.hex()
                            + "', 'k', 'indeterminate', now(), now())");
            Resolution found = Resolution.of(Finding.FAILED, "ann");
            assertThatThrownBy(() -> stores.journal().resolveEffect(fence, "run-2", effect, found))
                    .isInstanceOf(CorruptRecordException.class);
            assertThat(database.value("select status from holdfast.execution_effect"))
                    .isEqualTo("indeterminate");
            assertThatThrownBy(() -> stores.runLeases().claim("run-2", "worker", Duration.ofMinutes(1), "d"))
                    .isInstanceOf(CorruptRecordException.class);
            assertThat(database.value("select owner || token from holdfast.lease where id = 'run-2'"))
                    .as("what is not claimed is not taken")
                    .isEqualTo("worker1");
            assertThat(stores.checkpoints().save(created.get("run-2"), FIRST.next("b", Document.EMPTY), fence))
                    .isEqualTo(new Saving.RevisionConflict(2));
            assertThat(stores.agentCheckpoints().save("run-2", 1, agent("run-2"), fence))
                    .isEqualTo(new Saved.RevisionConflict(2));
            AgentCheckpoints agents = stores.agentCheckpoints();
            assertThat(List.<ThrowingCallable>of(
                            () -> agents.save("run-2", 2, agent("run-2"), fence),
                            () -> agents.pause("run-2", 2, agent("run-2"), fence),
                            () -> agents.finish("run-2", LeaseAfter.RELEASE, fence),
                            () -> agents.purge("run-2")))
                    .as("nor by who names the revision, is at the end or wants none of it")
                    .allSatisfy(deed -> assertThatThrownBy(deed)
                            .isInstanceOf(CorruptRecordException.class)
                            .hasMessageContainingAll("agent checkpoint \"run-2\"", "status"));
            assertThat(
                            database.value(
                                    "select concat_ws(' ', g.revision, g.phase, g.payload is not null, x.owner)"
                                            + " from holdfast.agent_checkpoint g join holdfast.lease x on x.id = g.run_id where run_id = 'run-2'"))
                    .isEqualTo("2 resting t worker");
            database.execute("update holdfast.agent_checkpoint set phase = 'model_next',"
                    + " payload = replace(payload, 'resting', 'model_next') where run_id = 'run-2'");
            assertThatThrownBy(() -> agents.load("run-2"))
                    .as("nor read, though its phase is known")
                    .isInstanceOf(CorruptRecordException.class);
            assertThatThrownBy(() -> stores.checkpoints().create(RunStart.of("run-2"), FIRST))
                    .isInstanceOf(CorruptRecordException.class);

            database.execute("update holdfast.lease set owner = null");
            assertThat(stores.runLeases().recoverable("", 10).runs())
                    .extracting(RecoverableRun::id)
                    .containsExactly("run-1", "run-2", "run-3");
            assertThat(stores.checkpoints().incomplete(Optional.empty(), 10))
                    .extracting(CheckpointSummary::runId)
                    .containsExactly("run-1", "run-3");
            assertThat(stores.agentCheckpoints()
                            .incomplete(AgentStatus.RUNNING, Optional.empty(), 10)
                            .lines())
                    .extracting(AgentPage.Line::run)
                    .containsExactly("run-1", "run-3");
            assertThat(
                            database.value(
                                    "select string_agg(status, ' ') from (select status from holdfast.execution"
                                            + " where id = 'run-2' union all select status from holdfast.checkpoint where run_id = 'run-2'"
                                            + " union all select status from holdfast.agent_checkpoint where run_id = 'run-2') as stored"))
                    .isEqualTo("paused_v2 paused_v2 paused_v2");
        }
    }

    /** A phase, or something to wait for, that a newer release knows under a status that this one knows too. */
    @Test
    void whatARunOfAKnownStatusDoesOrWaitsForIsNotTakenForSomethingElse() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            Fence fence = ((Acquisition.Granted)
                            stores.leases().acquire(LeaseKey.ofRun("run-1"), "worker", Duration.ofSeconds(60)))
                    .lease()
                    .fence();
            stores.agentCheckpoints().save("run-1", 0, agent("run-1"), fence);
            stores.checkpoints().create(RunStart.of("run-1"), FIRST.paused(new Waiting.ForAnswer("i-1")));
            List.of("checkpoint", "agent_checkpoint").forEach(table -> withoutChecks(database, table));
            database.execute(
                    "update holdfast.checkpoint set waiting_for = 'timer'",
                    "update holdfast.agent_checkpoint set phase = 'resting'");
            assertThatThrownBy(() -> stores.checkpoints().find("run-1"))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContainingAll("run-1", "waiting");
            assertThat(stores.agentCheckpoints()
                            .incomplete(AgentStatus.RUNNING, Optional.empty(), 10)
                            .lines())
                    .as("as it is stored")
                    .extracting(AgentPage.Line::phase)
                    .containsExactly("resting");
        }
    }

    /** A list of many shows the word as it is stored. One of what a run has done fails, and names where to go on behind. */
    @Test
    void aListTellsOfWhatItCannotReadAndShowsTheOthers() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            for (String id : List.of("1", "2", "3")) {
                Fence fence = opened(stores, "agent-" + id).lease().fence();
                stores.agentCheckpoints().save("agent-" + id, 0, agent("agent-" + id), fence);
                stores.approvals().register(ApprovalRequest.of("ap-" + id, "run", "call", Expiry.DEFAULT));
            }
            threeSteps(stores);
            List.of("approval", "agent_checkpoint", "checkpoint_entry", "execution_effect", "execution_step")
                    .forEach(table -> withoutChecks(database, table));
            database.execute(
                    "update holdfast.approval set status = 'escalated' where id = 'ap-2'",
                    "update holdfast.agent_checkpoint set phase = 'resting' where run_id = 'agent-2'",
                    "update holdfast.checkpoint_entry set status = 'suspended' where revision = 2",
                    "update holdfast.execution_step set effect_class = 'undoable' where ordinal = 2",
                    "update holdfast.execution_effect set status = 'undone' where ordinal = 2");

            assertThat(stores.approvals().listOfRun("run", Optional.empty(), 10).lines())
                    .extracting(ApprovalPage.Line::id, ApprovalPage.Line::state)
                    .containsExactly(tuple("ap-1", "pending"), tuple("ap-2", "escalated"), tuple("ap-3", "pending"));
            assertThat(stores.agentCheckpoints()
                            .incomplete(AgentStatus.RUNNING, Optional.empty(), 10)
                            .lines())
                    .extracting(AgentPage.Line::run, AgentPage.Line::phase)
                    .containsExactly(
                            tuple("agent-1", "model_next"),
                            tuple("agent-2", "resting"),
                            tuple("agent-3", "model_next"));
            namesTheSecond((after, limit) -> stores.checkpoints().history("run", after, limit), "revision 2");
            namesTheSecond((after, limit) -> stores.journal().steps("run", after, limit), "step 2");
            namesTheSecond((after, limit) -> stores.journal().effects("run", after, limit), "effect 2");
        }
    }

    private interface Listing {
        List<?> page(long after, int limit);
    }

    /** Who acts by such a list must not take one that lacks a line for the whole; before and behind it all is read. */
    private static void namesTheSecond(Listing listing, String second) {
        assertThatThrownBy(() -> listing.page(0, 10))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContainingAll("\"run\"", second);
        assertThat(listing.page(0, 1)).hasSize(1);
        assertThat(listing.page(2, 10)).hasSize(1);
    }

    private static Opened.Done opened(Stores stores, String id) {
        return (Opened.Done)
                stores.journal().open(NewRun.of(id, RunKind.AGENT, "d", "{}"), "worker", Duration.ofMinutes(1));
    }

    /** Of run {@code run}: each with an effect, and a checkpoint behind it. */
    private static void threeSteps(Stores stores) {
        Opened.Done run = opened(stores, "run");
        Fence fence = run.lease().fence();
        JournalCommit.Builder commit = JournalCommit.to(run.head()).status(RunStatus.RUNNING);
        for (int visit = 1; visit <= 3; visit++) {
            Intent intent = Intent.of(StepKey.visit("charge", visit), "d", "key-" + visit, EffectClass.IDEMPOTENT);
            commit.intent(intent).effect(intent.pending());
        }
        stores.journal().commit(fence, commit.build());
        stores.checkpoints().create(RunStart.of("run"), FIRST.next("b", Document.EMPTY));
        for (String node : List.of("c", "d")) {
            SavedCheckpoint read = stores.checkpoints().find("run").orElseThrow();
            stores.checkpoints().save(read, read.checkpoint().next(node, Document.EMPTY), fence);
        }
    }

    private static Consumption dispatched(Stores stores, Fence fence) {
        ApprovalRequest request = ApprovalRequest.of("ap", "run-2", "the call", Expiry.DEFAULT);
        stores.approvals().register(request);
        stores.approvals().decide("ap", Decision.approve(request.digest(), "ann"));
        ApprovalUse use = new ApprovalUse("ap", "run-2", request.digest(), StepKey.visit("charge", 3));
        return stores.approvals().dispatch(ApprovedCall.of(use, EffectClass.IDEMPOTENT), fence);
    }

    private static AgentState agent(String run) {
        return AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"" + run + "\"}");
    }
}
