package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two ends of a worker's step. The whole in one call is in {@link WholeStepsContract}. */
abstract class StepsContract extends Contract {

    private static final LeaseKey WF_1 = LeaseKey.ofWorkflow("wf-1");
    private static final String OUTCOME = fingerprint('a');
    private static final String OTHER_OUTCOME = fingerprint('b');
    private static final Step STEP = new Step("wf-1", "wf-1:one", "req-1");

    private Workflow read;
    private Fence fence;

    StepsContract(Environment environment) {
        super(environment);
    }

    @BeforeEach
    void aWorkerHasLeasedARunningWorkflow() {
        read = running("wf-1");
        fence = granted("wf-1", "worker").fence();
    }

    private StepResult result(WorkflowState next) {
        return new StepResult(read, next, OUTCOME, LeaseAfter.KEEP);
    }

    private StepResult memory() {
        return result(checkpointed(read, "memory"));
    }

    private KeyClaim begun() {
        return ((Begun.New) steps.begin(STEP, fence)).claim();
    }

    @Test
    void aBeginReservesTheKeyAndRenewsTheLease() {
        Lease before = leases.find(WF_1).orElseThrow();
        Begun begun = steps.begin(STEP, fence);
        assertThat(begun).asInstanceOf(type(Begun.New.class)).satisfies(answer -> {
            assertThat(answer.claim())
                    .isEqualTo(keys.find("wf-1:one").orElseThrow().claim());
            assertThat(answer.claim().workflowId()).isEqualTo("wf-1");
            assertThat(answer.lease().fence()).isEqualTo(fence);
            assertThat(answer.lease().expiresAt()).isAfter(before.expiresAt());
        });
        assertThat(keys.find("wf-1:one").orElseThrow().isCompleted()).isFalse();
        assertThat(leases.find(WF_1).orElseThrow().expiresAt())
                .isEqualTo(((Begun.New) begun).lease().expiresAt());
    }

    @Test
    void aStepThatWasBegunBeforeIsResumedAlsoByAnotherWorker() {
        KeyClaim claim = begun();
        assertThat(steps.begin(STEP, fence))
                .asInstanceOf(type(Begun.Resumed.class))
                .extracting(Begun.Resumed::claim)
                .isEqualTo(claim);
        expire(WF_1);
        fence = granted("wf-1", "rival").fence();
        assertThat(steps.begin(STEP, fence))
                .asInstanceOf(type(Begun.Resumed.class))
                .extracting(Begun.Resumed::claim)
                .isEqualTo(claim);
    }

    @Test
    void aStepThatIsDoneIsCompletedAndItsLeaseGoesOn() {
        steps.finish(begun(), memory(), fence);
        Lease before = leases.find(WF_1).orElseThrow();
        assertThat(steps.begin(STEP, fence))
                .asInstanceOf(type(Begun.Completed.class))
                .satisfies(answer -> {
                    assertThat(answer.outcome()).isEqualTo(OUTCOME);
                    assertThat(answer.lease().expiresAt()).isAfter(before.expiresAt());
                });
    }

    @Test
    void aKeyOfAnotherRequestOrWorkflowIsAConflict() {
        keys.reserve("wf-1:one", "req-9", "wf-1", KeepFor.DEFAULT);
        assertThat(steps.begin(STEP, fence)).isEqualTo(new Begun.Conflict(Binding.REQUEST));
        keys.reserve("k", "req-1", "wf-9", KeepFor.DEFAULT);
        assertThat(steps.begin(new Step("wf-1", "k", "req-1"), fence)).isEqualTo(new Begun.Conflict(Binding.WORKFLOW));
    }

    @Test
    void withoutTheLeaseNothingIsBegunForItsReason() {
        assertThat(steps.begin(STEP, new Fence("rival", 1))).isEqualTo(new Begun.Lost(Loss.SUPERSEDED));
        assertThat(steps.begin(STEP, new Fence("worker", 2))).isEqualTo(new Begun.Lost(Loss.SUPERSEDED));
        expire(WF_1);
        assertThat(steps.begin(STEP, fence)).isEqualTo(new Begun.Lost(Loss.EXPIRED));
        leases.release(WF_1, fence);
        assertThat(steps.begin(STEP, fence)).isEqualTo(new Begun.Lost(Loss.NONE));
        assertThat(steps.begin(new Step("wf-2", "k", "req-1"), fence)).isEqualTo(new Begun.Lost(Loss.NONE));
    }

    @Test // design 4: the fence before the key; of the key: lapsed, request, workflow
    void aBeginHearsTheFirstOfAllThatStandsAgainstIt() {
        Reservation former = keys.reserve("wf-1:one", "req-9", "wf-9", KeepFor.DEFAULT);
        assertThat(steps.begin(STEP, new Fence("rival", 9))).isEqualTo(new Begun.Lost(Loss.SUPERSEDED));
        assertThat(steps.begin(STEP, fence)).isEqualTo(new Begun.Conflict(Binding.REQUEST));
        expireKey("wf-1:one");
        assertThat(steps.begin(STEP, fence))
                .asInstanceOf(type(Begun.New.class))
                .extracting(Begun.New::claim)
                .isEqualTo(next(former.key().claim(), "wf-1"));
    }

    @Test // H21: the key does not lapse under the worker, whose lease is older than the key's expiry
    void aKeyThatExpiredUnderARunningStepIsResumed() {
        KeyClaim claim = begun();
        expireKey("wf-1:one");
        granted("wf-9", "rival");
        assertThat(steps.begin(STEP, fence)).isInstanceOf(Begun.Resumed.class);
        assertThat(keys.reserve("wf-1:one", "req-9", "wf-9", KeepFor.DEFAULT)).isInstanceOf(Reservation.Conflict.class);
        assertThat(steps.begin(new Step("wf-9", "wf-1:one", "req-9"), new Fence("rival", 1)))
                .isEqualTo(new Begun.Conflict(Binding.REQUEST));
        assertThat(steps.finish(claim, memory(), fence)).isInstanceOf(Finished.Done.class);
    }

    @Test
    void aCompletedKeyThatExpiredIsBegunAnew() {
        KeyClaim former = begun();
        steps.finish(former, memory(), fence);
        expireKey("wf-1:one");
        assertThat(steps.begin(STEP, fence))
                .asInstanceOf(type(Begun.New.class))
                .extracting(Begun.New::claim)
                .isEqualTo(next(former, "wf-1"));
    }

    @Test // K-09, H20: state, key and lease are one transaction
    void aFinishWritesStateAndKeyAndLeaseTogether() {
        KeyClaim claim = begun();
        WorkflowState end = moved(read, SUCCEEDED);
        Finished done = steps.finish(claim, new StepResult(read, end, OUTCOME, LeaseAfter.RELEASE), fence);
        assertThat(done).isEqualTo(new Finished.Done(stored("wf-1")));
        assertThat(stored("wf-1").state()).isEqualTo(end);
        assertThat(keys.find("wf-1:one").orElseThrow().outcome()).contains(OUTCOME);
        assertThat(leases.find(WF_1)).isEmpty();
    }

    @Test
    void aLeaseThatIsKeptStaysWithTheWorker() {
        assertThat(steps.finish(begun(), memory(), fence)).isEqualTo(new Finished.Done(stored("wf-1")));
        assertThat(leases.find(WF_1).orElseThrow().fence()).isEqualTo(fence);
        assertThat(Duration.between(
                        keys.find("wf-1:one").orElseThrow().updatedAt(),
                        keys.find("wf-1:one").orElseThrow().expiresAt().orElseThrow()))
                .isEqualTo(Duration.ofDays(1));
    }

    @Test
    void aFinishSentAgainIsAlreadyAppliedWhateverBecameOfTheLease() {
        KeyClaim claim = begun();
        StepResult result = new StepResult(read, checkpointed(read, "memory"), OUTCOME, LeaseAfter.RELEASE);
        steps.finish(claim, result, fence);
        Finished again = new Finished.AlreadyApplied(stored("wf-1"));
        assertThat(steps.finish(claim, result, fence)).isEqualTo(again);
        granted("wf-1", "rival");
        assertThat(steps.finish(claim, result, fence)).isEqualTo(again);
        assertThat(steps.finish(claim, new StepResult(read, result.next(), OTHER_OUTCOME, LeaseAfter.RELEASE), fence))
                .as("another outcome is no repeat")
                .isEqualTo(new Finished.FenceLost(Loss.SUPERSEDED));
    }

    @Test // K-07
    void aCancellationSurvivesAFinish() {
        KeyClaim claim = begun();
        Cancellation asked = workflows.requestCancel("wf-1", "too slow");
        Finished done = steps.finish(claim, memory(), fence);
        assertThat(((Finished.Done) done).workflow().cancelRequest())
                .contains(((Cancellation.Requested) asked).request());
    }

    @Test // design 4: not found, already applied, fence, terminal, status, revision, history, key
    void aFinishHearsTheFirstOfAllThatStandsAgainstIt() {
        KeyClaim unknown = new KeyClaim("k", "wf-1", 7);
        Fence wrong = new Fence("rival", 9);
        assertThat(steps.finish(unknown, memory(), fence)).isEqualTo(new Finished.KeyNotFound());
        WorkflowState illegal = read.state().toBuilder().status(QUEUED).build();
        StepResult stale = new StepResult(read, illegal, OTHER_OUTCOME, LeaseAfter.KEEP);
        assertThat(steps.finish(unknown, stale, fence))
                .isEqualTo(new Finished.HistoryConflict(HistoryBreach.STATUS_MISMATCH));
        Workflow second = updated(read, checkpointed(read, "plan"));
        assertThat(steps.finish(unknown, stale, fence)).isEqualTo(new Finished.RevisionConflict(4));
        Workflow queued = updated(second, moved(second, QUEUED));
        assertThat(steps.finish(unknown, stale, fence)).isEqualTo(new Finished.StatusConflict(QUEUED));
        KeyClaim claim = begun();
        WorkflowState end = moved(queued, CLOSED);
        steps.finish(claim, new StepResult(queued, end, OUTCOME, LeaseAfter.KEEP), fence);
        assertThat(steps.finish(unknown, stale, fence)).isEqualTo(new Finished.Terminal(CLOSED));
        assertThat(steps.finish(unknown, stale, wrong)).isEqualTo(new Finished.FenceLost(Loss.SUPERSEDED));
        assertThat(steps.finish(claim, new StepResult(queued, end, OUTCOME, LeaseAfter.KEEP), wrong))
                .isInstanceOf(Finished.AlreadyApplied.class);
        environment.changeRow("delete from {workflow} where scope = ? and id = 'wf-1'", scope.id());
        assertThat(steps.finish(unknown, stale, wrong)).isEqualTo(new Finished.NotFound());
        assertThat(steps.finish(claim, new StepResult(queued, end, OUTCOME, LeaseAfter.KEEP), fence))
                .isEqualTo(new Finished.NotFound());
    }

    @Test // of the key: not found, workflow, reservation, completed
    void aFinishWithAnotherKeyIsRefusedForItsReason() {
        keys.reserve("k", "req-1", "wf-9", KeepFor.DEFAULT);
        assertThat(steps.finish(new KeyClaim("k", "wf-1", 7), memory(), fence))
                .isEqualTo(new Finished.KeyConflict(Binding.WORKFLOW));
        KeyClaim claim = begun();
        assertThat(steps.finish(new KeyClaim("wf-1:one", "wf-1", 7), memory(), fence))
                .isEqualTo(new Finished.KeyConflict(Binding.RESERVATION));
        keys.complete(claim, OTHER_OUTCOME);
        assertThat(steps.finish(claim, memory(), fence)).isEqualTo(new Finished.KeyCompleted(OTHER_OUTCOME));
    }

    @Test // H18
    void aStepOfAnEarlierIncarnationFinishesNothing() {
        KeyClaim claim = begun();
        environment.changeRow("delete from {workflow} where scope = ? and id = 'wf-1'", scope.id());
        running("wf-1");
        assertThat(stored("wf-1").revision()).isEqualTo(read.revision());
        assertThat(steps.finish(claim, memory(), fence)).isEqualTo(new Finished.NotFound());
    }

    @Test // H01: a worker that was paused past its lease finishes nothing
    void aFormerHolderFinishesNothing() {
        KeyClaim claim = begun();
        expire(WF_1);
        assertThat(steps.finish(claim, memory(), fence)).isEqualTo(new Finished.FenceLost(Loss.EXPIRED));
        Fence rival = granted("wf-1", "rival").fence();
        assertThat(steps.finish(claim, memory(), fence)).isEqualTo(new Finished.FenceLost(Loss.SUPERSEDED));
        leases.release(WF_1, rival);
        assertThat(steps.finish(claim, memory(), fence)).isEqualTo(new Finished.FenceLost(Loss.NONE));
    }
}
