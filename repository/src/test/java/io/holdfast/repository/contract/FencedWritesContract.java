package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.RUNNING;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.CancelRequest;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Writes under the workflow's lease, and the cancellation that none of them can lose. */
abstract class FencedWritesContract extends Contract {

    private static final LeaseKey WF_1 = LeaseKey.ofWorkflow("wf-1");

    FencedWritesContract(Environment environment) {
        super(environment);
    }

    @Test
    void aWriteUnderTheLeaseGivesTheValueToGoOnFrom() {
        Workflow running = running("wf-1");
        Lease lease = granted("wf-1", "worker");
        Update answer = workflows.updateFenced(running, checkpointed(running, "memory"), lease.fence());
        assertThat(answer).isEqualTo(new Update.Updated(stored("wf-1")));
        Workflow next = stored("wf-1");
        assertThat(next.revision()).isEqualTo(4);
        assertThat(workflows.updateFenced(next, moved(next, SUCCEEDED), lease.fence()))
                .isInstanceOf(Update.Updated.class);
    }

    @Test // design 4: whatever the fence says, so that repeating a call whose outcome was unknown is safe
    void aFencedWriteSentAgainIsAlreadyAppliedWhateverBecameOfTheLease() {
        Workflow running = running("wf-1");
        Lease lease = granted("wf-1", "worker");
        WorkflowState next = checkpointed(running, "memory");
        workflows.updateFenced(running, next, lease.fence());
        Update again = new Update.AlreadyApplied(stored("wf-1"));
        assertThat(workflows.updateFenced(running, next, lease.fence())).isEqualTo(again);
        expire(WF_1);
        assertThat(workflows.updateFenced(running, next, lease.fence())).isEqualTo(again);
        granted("wf-1", "rival");
        assertThat(workflows.updateFenced(running, next, lease.fence())).isEqualTo(again);
    }

    @Test // H01, H14: a fence is one value, and only the one of the present grant holds (D-14: half of one cannot be
    // given)
    void aWriteUnderAnyOtherFenceIsRefusedForItsReason() {
        Workflow running = running("wf-1");
        WorkflowState next = checkpointed(running, "memory");
        assertThat(workflows.updateFenced(running, next, new Fence("worker", 1)))
                .isEqualTo(lost(Loss.NONE));
        Lease lease = granted("wf-1", "worker");
        assertThat(workflows.updateFenced(running, next, new Fence("rival", 1))).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(workflows.updateFenced(running, next, new Fence("worker", 2)))
                .isEqualTo(lost(Loss.SUPERSEDED));
        expire(WF_1);
        assertThat(workflows.updateFenced(running, next, lease.fence())).isEqualTo(lost(Loss.EXPIRED));
        assertThat(leases.release(WF_1, lease.fence())).isTrue();
        assertThat(workflows.updateFenced(running, next, lease.fence())).isEqualTo(lost(Loss.NONE));
        Lease second = granted("wf-1", "worker");
        assertThat(second.fence().token()).isEqualTo(2);
        assertThat(workflows.updateFenced(running, next, lease.fence())).isEqualTo(lost(Loss.SUPERSEDED));
    }

    private static Update lost(Loss reason) {
        return new Update.FenceLost(reason);
    }

    @Test // design 14 over the contract's "fence first": not found, already applied, fence, terminal, status, revision,
    // history
    void aFencedWriteHearsTheFirstOfAllThatStandsAgainstIt() {
        Workflow queued = updated(created("wf-1"), moved(WorkflowState.create("wf-1", "req-1"), QUEUED));
        Fence fence = granted("wf-1", "worker").fence();
        WorkflowState illegal = queued.state().toBuilder().status(RUNNING).build();
        assertThat(workflows.updateFenced(queued, illegal, fence))
                .isEqualTo(new Update.HistoryConflict(HistoryBreach.STATUS_MISMATCH));
        Workflow second = updated(queued, checkpointed(queued, "memory"));
        assertThat(workflows.updateFenced(queued, illegal, fence)).isEqualTo(new Update.RevisionConflict(3));
        Workflow running = updated(second, moved(second, RUNNING));
        assertThat(workflows.updateFenced(queued, illegal, fence)).isEqualTo(new Update.StatusConflict(RUNNING));
        updated(running, moved(running, CLOSED));
        assertThat(workflows.updateFenced(queued, illegal, fence)).isEqualTo(new Update.Terminal(CLOSED));
        Fence wrong = new Fence("rival", 9);
        assertThat(workflows.updateFenced(queued, illegal, wrong)).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(workflows.updateFenced(running, moved(running, CLOSED), wrong))
                .isInstanceOf(Update.AlreadyApplied.class);
        environment.changeRow("delete from {workflow} where scope = ? and id = 'wf-1'", scope.id());
        assertThat(workflows.updateFenced(queued, illegal, wrong)).isEqualTo(new Update.NotFound());
        assertThat(workflows.updateFenced(running, moved(running, CLOSED), fence))
                .isEqualTo(new Update.NotFound());
    }

    @Test // K-07, H16: its own column, which no write of the state takes back
    void aCancellationSurvivesTheWritesOfAWorkerThatHasNotSeenIt() {
        Workflow read = running("wf-1");
        Lease lease = granted("wf-1", "worker");
        Cancellation answer = workflows.requestCancel("wf-1", "too slow");
        CancelRequest request = ((Cancellation.Requested) answer).request();
        assertThat(stored("wf-1").revision()).isEqualTo(read.revision());
        Update fenced = workflows.updateFenced(read, checkpointed(read, "memory"), lease.fence());
        assertThat(((Update.Updated) fenced).workflow().cancelRequest()).contains(request);
        Workflow next = ((Update.Updated) fenced).workflow();
        updated(next, checkpointed(next, "plan"));
        assertThat(stored("wf-1").cancelRequest()).contains(request);
        assertThat(workflows.list("", 1).get(0).cancelRequested()).isTrue();
    }

    @Test
    void theFirstReasonForACancellationStands() {
        created("wf-1");
        CancelRequest first = ((Cancellation.Requested) workflows.requestCancel("wf-1", "too slow")).request();
        assertThat(first.reason()).contains("too slow");
        assertThat(workflows.requestCancel("wf-1", "changed my mind"))
                .isEqualTo(new Cancellation.AlreadyRequested(first));
        assertThat(stored("wf-1").cancelRequest()).contains(first);
    }

    @Test
    void aCancellationComesTooLateForWhatHasEndedOrIsNotThere() {
        Workflow running = running("wf-1");
        updated(running, moved(running, SUCCEEDED));
        assertThat(workflows.requestCancel("wf-1", "")).isEqualTo(new Cancellation.Terminal(SUCCEEDED));
        assertThat(workflows.requestCancel("wf-2", "")).isEqualTo(new Cancellation.NotFound());
        assertThat(workflows.requestCancel("no id\0", "")).isEqualTo(new Cancellation.NotFound());
    }

    @Test // BL-51: a reason is prose; it is never refused
    void aReasonIsCutAndCleanedNotRefused() {
        created("wf-1");
        String smile = "\ud83d\ude00";
        assertThat(reason("wf-1", smile.repeat(257))).contains(smile.repeat(256));
        created("wf-2");
        assertThat(reason("wf-2", "a\0b\ud83dc\n")).contains("a\ufffdb\ufffdc\ufffd");
        created("wf-3");
        assertThat(reason("wf-3", "")).isEmpty();
    }

    private Optional<String> reason(String id, String reason) {
        assertThat(workflows.requestCancel(id, reason)).isInstanceOf(Cancellation.Requested.class);
        return stored(id).cancelRequest().orElseThrow().reason();
    }
}
