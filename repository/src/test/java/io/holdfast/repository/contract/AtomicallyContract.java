package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.codec.Document;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Begun;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Many calls in one transaction: all of them or none. */
abstract class AtomicallyContract extends Contract {

    private static final LeaseKey WF_1 = LeaseKey.ofWorkflow("wf-1");

    AtomicallyContract(Environment environment) {
        super(environment);
    }

    private <R> R atomically(Function<Holdfast, R> code) {
        return environment.perform(() -> environment.holdfast().atomically(code));
    }

    private void writeSomethingOfEach(Holdfast bound) {
        Stores stores = bound.in(scope);
        stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of());
        stores.leases().acquire(WF_1, "worker", MINUTE);
        stores.idempotencyKeys().reserve("k", "req-1", "wf-1", KeepFor.DEFAULT);
    }

    @Test
    void allThatIsDoneThroughTheBoundFacadeHappens() {
        String answer = atomically(bound -> {
            writeSomethingOfEach(bound);
            Stores stores = bound.in(scope);
            Workflow read = stores.workflows().find("wf-1").orElseThrow(); // sees what was written before
            assertThat(watched.picture()).as("others see nothing yet").isEmpty();
            Fence fence = stores.leases().find(WF_1).orElseThrow().fence();
            assertThat(stores.workflows().updateFenced(read, moved(read, QUEUED), fence))
                    .isInstanceOf(Update.Updated.class);
            return "done";
        });
        assertThat(answer).isEqualTo("done");
        assertThat(stored("wf-1").revision()).isEqualTo(2);
        assertThat(leases.find(WF_1)).isPresent();
        assertThat(keys.find("k")).isPresent();
    }

    @Test
    void anExceptionComesOutAsItIsAndNothingHappens() {
        var broken = new IllegalStateException("the application's own");
        assertThatThrownBy(() -> atomically(bound -> {
                    writeSomethingOfEach(bound);
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(watched.picture()).isEmpty();
    }

    @Test
    void anErrorRollsBackAsWell() {
        var broken = new StackOverflowError("the application's own");
        assertThatThrownBy(() -> atomically(bound -> {
                    writeSomethingOfEach(bound);
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(watched.picture()).isEmpty();
    }

    @Test
    void aTransactionInsideATransactionIsTheSameOne() {
        atomically(outer -> {
            outer.atomically(
                    inner -> inner.in(scope).workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of()));
            assertThat(watched.picture()).as("the inner end commits nothing").isEmpty();
            return outer.in(scope).workflows().find("wf-1").orElseThrow();
        });
        assertThat(workflows.find("wf-1")).isPresent();
        assertThatThrownBy(() -> atomically(outer -> {
                    outer.atomically(inner -> inner.in(scope).leases().acquire(WF_1, "worker", MINUTE));
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(leases.find(WF_1)).isEmpty();
    }

    @Test
    void afterItsEndTheBoundFacadeIsRefused() {
        Holdfast[] kept = new Holdfast[1];
        Stores bound = atomically(holdfast -> {
            kept[0] = holdfast;
            return holdfast.in(scope);
        });
        assertThatThrownBy(() -> bound.workflows().find("wf-1")).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> bound.leases().acquire(WF_1, "worker", MINUTE))
                .isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> kept[0].in(scope).idempotencyKeys().find("k"))
                .isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() ->
                        kept[0].atomically(inner -> inner.in(scope).workflows().find("wf-1")))
                .isInstanceOf(NoTransactionException.class);
        assertThat(watched.picture()).isEmpty();
    }

    @Test // BL-24, H13: no answer costs the transaction, and no constraint is violated on the way
    void afterEveryLosingAnswerTheTransactionGoesOn() {
        Workflow stale = created("wf-1");
        updated(stale, checkpointed(stale, "memory"));
        Fence held = granted("wf-1", "worker").fence();
        KeyClaim claim = reserved("k", "wf-1");
        atomically(bound -> {
            Stores stores = bound.in(scope);
            assertThat(stores.workflows().create(WorkflowState.create("wf-1", "req-9"), Map.of()))
                    .isInstanceOf(Creation.Taken.class);
            assertThat(stores.workflows().update(stale, moved(stale, QUEUED)))
                    .isEqualTo(new Update.RevisionConflict(2));
            assertThat(stores.workflows().updateFenced(stale, moved(stale, CLOSED), new Fence("rival", 9)))
                    .isEqualTo(new Update.FenceLost(Loss.SUPERSEDED));
            assertThat(stores.workflows().requestCancel("wf-9", "")).isEqualTo(new Cancellation.NotFound());
            assertThat(stores.leases().acquire(WF_1, "rival", MINUTE)).isInstanceOf(Acquisition.Busy.class);
            assertThat(stores.leases().renew(WF_1, new Fence("rival", 9))).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
            assertThat(stores.idempotencyKeys().reserve("k", "req-9", "wf-9", KeepFor.DEFAULT))
                    .isInstanceOf(Reservation.Conflict.class);
            assertThat(stores.steps().begin(new Step("wf-1", "k", "req-9"), held))
                    .isInstanceOf(Begun.Conflict.class);
            assertThatThrownBy(() -> stores.workflows().list("", 0)).isInstanceOf(InvalidValueException.class);
            return stores.idempotencyKeys().complete(claim, fingerprint('a'));
        });
        assertThat(keys.find("k").orElseThrow().isCompleted()).isTrue();
    }

    @Test // BL-24
    void afterEveryLosingAnswerAboutARunTheTransactionGoesOn() {
        ApprovalRequest asked = ApprovalRequest.of("ap", "run", "the call", Expiry.DEFAULT);
        NewRun run = NewRun.of("run", RunKind.WORKFLOW, "d", "{}");
        Checkpoint first = Checkpoint.first(Definition.of(new DefinitionHash("ab".repeat(32))), "a", Document.EMPTY);
        AgentState agent = AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"run\"}");
        Fence held = atomically(bound -> {
            Stores stores = bound.in(scope);
            stores.runs().create("run", Map.of(), Map.of());
            stores.workspaceSessions().save("session", List.of(), 0);
            stores.approvals().register(asked);
            stores.approvals().decide("ap", Decision.reject(asked.digest(), "ann", ""));
            stores.checkpoints().create(RunStart.of("run"), first);
            Fence fence = ((Opened.Done) stores.journal().open(run, "worker", MINUTE))
                    .lease()
                    .fence();
            stores.agentCheckpoints().save("run", 0, agent, fence);
            return fence;
        });
        Run read = runs.find("run").orElseThrow();
        runs.update(read, RunChange.to("x"));
        SavedCheckpoint saved = checkpoints.find("run").orElseThrow();
        Fence rival = new Fence("rival", 9);
        JournalCommit entry =
                JournalCommit.toAny("run").event(JournalEvent.of("{}")).build();
        StepKey step = StepKey.visit("a", 1);
        ApprovalUse use = new ApprovalUse("ap", "run", asked.digest(), step);
        Committed answer = atomically(bound -> {
            Stores stores = bound.in(scope);
            assertThat(stores.runs().create("run", Map.of("b", 1L), Map.of())).isInstanceOf(RunCreation.Taken.class);
            assertThat(stores.runs().update(read, RunChange.to("y"))).isEqualTo(new RunUpdate.RevisionConflict(1, 2));
            assertThat(stores.runs().append("none", List.of(Map.of()))).isEqualTo(new Append.NotFound());
            assertThat(stores.workspaceSessions().save("session", List.of(Message.of("user", "x")), 0))
                    .isInstanceOf(SessionSave.Conflict.class);
            assertThat(stores.journal().open(run, "worker", MINUTE)).isInstanceOf(Opened.Taken.class);
            assertThat(stores.runLeases().claim("run", "rival", MINUTE, "d")).isInstanceOf(RunClaim.Busy.class);
            assertThat(stores.journal().commit(rival, entry)).isEqualTo(new Committed.FenceLost(Loss.SUPERSEDED));
            assertThat(stores.journal()
                            .resolveEffect(
                                    held,
                                    "run",
                                    EffectId.of(scope, "run", step, 0),
                                    Resolution.of(Resolution.Finding.FAILED, "ann")))
                    .isEqualTo(new Resolved.NotFound());
            assertThat(stores.approvals().register(asked.decidedBy("finance"))).isInstanceOf(Registration.Taken.class);
            assertThat(stores.approvals().decide("ap", Decision.approve(asked.digest(), "bob")))
                    .isInstanceOf(Ruling.AlreadyDecided.class);
            assertThat(stores.approvals().consume(use, held)).isInstanceOf(Consumption.Rejected.class);
            assertThat(stores.approvals().dispatch(ApprovedCall.of(use, EffectClass.IDEMPOTENT), held))
                    .isInstanceOf(Consumption.Rejected.class);
            assertThat(stores.approvals().withdraw("ap", "ann", "")).isInstanceOf(Withdrawal.Settled.class);
            assertThat(stores.agentCheckpoints().pause("run", 0, agent, rival))
                    .isInstanceOf(Saved.AlreadyApplied.class);
            assertThat(stores.agentCheckpoints().save("run", 7, agent, held)).isEqualTo(new Saved.RevisionConflict(1));
            assertThat(stores.agentCheckpoints().finish("run", LeaseAfter.KEEP, rival))
                    .isEqualTo(new Ended.FenceLost(Loss.SUPERSEDED));
            assertThat(stores.checkpoints().create(RunStart.of("run"), first.next("b", Document.EMPTY)))
                    .isInstanceOf(CheckpointCreation.Taken.class);
            assertThat(stores.checkpoints().save(saved, first.next("b", Document.EMPTY), rival))
                    .isEqualTo(new Saving.FenceLost(Loss.SUPERSEDED));
            return stores.journal().commit(held, entry);
        });
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Committed.Done.class,
                        done -> assertThat(done.head().events()).isEqualTo(1));
    }

    @Test // H20: what belongs together can be one transaction, also over several scopes
    void oneTransactionMaySpanScopes() {
        Tenant other = new Tenant(environment, io.holdfast.Scope.of(scope.id() + "-other"));
        assertThatThrownBy(() -> atomically(bound -> {
                    bound.in(other.scope()).leases().acquire(WF_1, "worker", MINUTE);
                    bound.in(scope).leases().acquire(WF_1, "worker", MINUTE);
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(other.picture() + watched.picture()).isEmpty();
    }
}
