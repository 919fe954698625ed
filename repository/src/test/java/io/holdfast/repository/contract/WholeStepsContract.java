package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Workflow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps that are begun and finished in one call. */
abstract class WholeStepsContract extends Contract {

    private static final LeaseKey WF_1 = LeaseKey.ofWorkflow("wf-1");
    private static final String OUTCOME = fingerprint('a');
    private static final String OTHER_OUTCOME = fingerprint('b');
    private static final Step STEP = new Step("wf-1", "wf-1:one", "req-1");

    private Workflow read;
    private Fence fence;

    WholeStepsContract(Environment environment) {
        super(environment);
    }

    @BeforeEach
    void aWorkerHasLeasedARunningWorkflow() {
        read = running("wf-1");
        fence = granted("wf-1", "worker").fence();
    }

    private StepResult memory() {
        return new StepResult(read, checkpointed(read, "memory"), OUTCOME, LeaseAfter.KEEP);
    }

    @Test
    void aStepWritesTheStateStoresItsKeyAndRenewsTheLease() {
        Lease before = leases.find(WF_1).orElseThrow();
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(new Finished.Done(stored("wf-1")));
        assertThat(stored("wf-1").state()).isEqualTo(memory().next());
        IdempotencyKey key = keys.find("wf-1:one").orElseThrow();
        assertThat(key.claim().workflowId()).isEqualTo("wf-1");
        assertThat(key.requestId()).isEqualTo("req-1");
        assertThat(key.outcome()).contains(OUTCOME);
        assertThat(leases.find(WF_1).orElseThrow().expiresAt()).isAfter(before.expiresAt());
    }

    @Test
    void theLastStepReleasesTheLease() {
        WorkflowState end = moved(read, SUCCEEDED);
        assertThat(steps.step(STEP, new StepResult(read, end, OUTCOME, LeaseAfter.RELEASE), fence))
                .isInstanceOf(Finished.Done.class);
        assertThat(leases.find(WF_1)).isEmpty();
        assertThat(granted("wf-1", "worker").fence().token()).isEqualTo(2);
    }

    @Test
    void aStepSentAgainIsAlreadyAppliedWhateverBecameOfTheLease() {
        steps.step(STEP, memory(), fence);
        Finished again = new Finished.AlreadyApplied(stored("wf-1"));
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(again);
        expire(WF_1);
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(again);
        granted("wf-1", "rival");
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(again);
    }

    @Test
    void aKeyThatTheRequestReservedBeforeIsCompleted() {
        KeyClaim claim = reserved("wf-1:one", "wf-1");
        assertThat(steps.step(STEP, memory(), fence)).isInstanceOf(Finished.Done.class);
        IdempotencyKey key = keys.find("wf-1:one").orElseThrow();
        assertThat(key.claim()).isEqualTo(claim);
        assertThat(key.outcome()).contains(OUTCOME);
    }

    @Test
    void aKeyThatLapsedIsReservedAnewAndCompleted() {
        Reservation former = keys.reserve("wf-1:one", "req-9", "wf-9", KeepFor.DEFAULT);
        expireKey("wf-1:one");
        assertThat(steps.step(STEP, memory(), fence)).isInstanceOf(Finished.Done.class);
        assertThat(keys.find("wf-1:one").orElseThrow().claim())
                .isEqualTo(next(former.key().claim(), "wf-1"));
    }

    @Test // H21: the other workflow is at work on it
    void aKeyThatExpiredUnderAnotherWorkflowAtWorkIsAConflict() {
        keys.reserve("wf-1:one", "req-9", "wf-9", KeepFor.DEFAULT);
        granted("wf-9", "rival");
        expireKey("wf-1:one");
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(new Finished.KeyConflict(Binding.REQUEST));
    }

    @Test // of the key: request, workflow, completed
    void aStepWhoseKeyStandsForSomethingElseIsRefusedForItsReason() {
        keys.reserve("wf-1:one", "req-9", "wf-9", KeepFor.DEFAULT);
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(new Finished.KeyConflict(Binding.REQUEST));
        keys.reserve("two", "req-1", "wf-9", KeepFor.DEFAULT);
        assertThat(steps.step(new Step("wf-1", "two", "req-1"), memory(), fence))
                .isEqualTo(new Finished.KeyConflict(Binding.WORKFLOW));
        keys.complete(reserved("three", "wf-1"), OTHER_OUTCOME);
        assertThat(steps.step(new Step("wf-1", "three", "req-1"), memory(), fence))
                .isEqualTo(new Finished.KeyCompleted(OTHER_OUTCOME));
    }

    @Test // design 4: not found, already applied, fence, terminal, status, revision, history, key
    void aStepHearsTheFirstOfAllThatStandsAgainstIt() {
        Step taken = new Step("wf-1", "taken", "req-1");
        keys.reserve("taken", "req-9", "wf-9", KeepFor.DEFAULT);
        Fence wrong = new Fence("rival", 9);
        WorkflowState illegal = read.state().toBuilder().status(QUEUED).build();
        StepResult stale = new StepResult(read, illegal, OTHER_OUTCOME, LeaseAfter.KEEP);
        assertThat(steps.step(taken, stale, fence))
                .isEqualTo(new Finished.HistoryConflict(HistoryBreach.STATUS_MISMATCH));
        Workflow second = updated(read, checkpointed(read, "plan"));
        assertThat(steps.step(taken, stale, fence)).isEqualTo(new Finished.RevisionConflict(4));
        Workflow queued = updated(second, moved(second, QUEUED));
        assertThat(steps.step(taken, stale, fence)).isEqualTo(new Finished.StatusConflict(QUEUED));
        StepResult end = new StepResult(queued, moved(queued, CLOSED), OUTCOME, LeaseAfter.KEEP);
        assertThat(steps.step(STEP, end, fence)).isInstanceOf(Finished.Done.class);
        assertThat(steps.step(taken, stale, fence)).isEqualTo(new Finished.Terminal(CLOSED));
        assertThat(steps.step(taken, stale, wrong)).isEqualTo(new Finished.FenceLost(Loss.SUPERSEDED));
        assertThat(steps.step(STEP, end, wrong)).isInstanceOf(Finished.AlreadyApplied.class);
        environment.changeRow("delete from {workflow} where scope = ? and id = 'wf-1'", scope.id());
        assertThat(steps.step(taken, stale, wrong)).isEqualTo(new Finished.NotFound());
        assertThat(steps.step(STEP, end, fence)).isEqualTo(new Finished.NotFound());
    }

    @Test
    void aFormerHolderTakesNoStep() {
        expire(WF_1);
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(new Finished.FenceLost(Loss.EXPIRED));
        leases.release(WF_1, fence);
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(new Finished.FenceLost(Loss.NONE));
        granted("wf-1", "worker");
        assertThat(steps.step(STEP, memory(), fence)).isEqualTo(new Finished.FenceLost(Loss.SUPERSEDED));
        assertThat(keys.find("wf-1:one")).isEmpty();
    }
}
