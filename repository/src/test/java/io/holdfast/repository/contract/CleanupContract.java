package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.FAILED;
import static io.holdfast.state.WorkflowStatus.RUNNING;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clean-up: what goes, what never does, and in which order. */
abstract class CleanupContract extends Contract {

    private static final String OUTCOME = fingerprint('a');
    private static final Cutoff EVERYTHING = new Cutoff(Duration.ZERO, Duration.ZERO, 100);

    CleanupContract(Environment environment) {
        super(environment);
    }

    private void ended(String id) {
        created(WorkflowState.builder(id, "req-1").status(SUCCEEDED).build());
    }

    /** Finished that many hours ago. */
    private void endedAgo(String id, int hours) {
        ended(id);
        environment.changeRow(
                "update {workflow} set updated_at = clock_timestamp() - ? * interval '1 hour' where scope = ? and id = ?",
                hours,
                scope.id(),
                id);
    }

    @Test
    void whatHasEndedOrExpiredIsRemovedAndCounted() {
        ended("wf-1");
        reserved("k", "wf-1");
        expireKey("k");
        granted("wf-1", "worker");
        expire(LeaseKey.ofWorkflow("wf-1"));
        Lease released = granted("wf-2", "worker");
        leases.release(released.key(), released.fence());
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(1, 1, 2));
        assertThat(watched.picture()).isEmpty();
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 0, 0));
    }

    @Test // H08: the cutoff is an age by the database's clock; none reaches into the future
    void whatIsAliveIsNeverRemoved() {
        created("wf-1");
        created(WorkflowState.builder("wf-2", "req-1").status(RUNNING).build());
        reserved("k", "wf-1");
        keys.reserve("ever", "req-1", "wf-1", KeepFor.EVER);
        granted("wf-1", "worker");
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 0, 0));
    }

    @Test // H41: aged in the database, not by the clock of whoever wrote or cleans
    void onlyWhatIsOldEnoughIsRemoved() {
        endedAgo("old", 3);
        endedAgo("young", 1);
        ended("fresh");
        Cutoff twoHours = new Cutoff(Duration.ofHours(2), Duration.ofHours(2), 100);
        reserved("k", "wf-1");
        expireKey("k");
        granted("wf-1", "worker");
        expire(LeaseKey.ofWorkflow("wf-1"));
        assertThat(cleanup.pass(twoHours)).isEqualTo(new Removed(1, 0, 0));
        assertThat(workflows.find("old")).isEmpty();
        assertThat(workflows.find("young")).isPresent();
        environment.changeRow(
                "update {idempotency_key} set expires_at = clock_timestamp() - interval '2 hours' where scope = ?",
                scope.id());
        environment.changeRow(
                "update {lease} set granted_at = granted_at - interval '3 hours',"
                        + " expires_at = clock_timestamp() - interval '2 hours' where scope = ?",
                scope.id());
        assertThat(cleanup.pass(twoHours)).as("the bound is inclusive").isEqualTo(new Removed(0, 1, 1));
    }

    @Test // D-22, D-24: the limit is a pass's own; there is no second one in a configuration
    void aPassRemovesAtMostItsLimitOfEachKindTheOldestFirst() {
        for (int i = 1; i <= 5; i++) {
            endedAgo("wf-" + i, 10 - i);
            reserved("k-" + i, "wf-x");
            environment.changeRow(
                    "update {idempotency_key} set expires_at = clock_timestamp() - ? * interval '1 hour'"
                            + " where scope = ? and key = ?",
                    10 - i,
                    scope.id(),
                    "k-" + i);
        }
        Cutoff two = new Cutoff(Duration.ZERO, Duration.ZERO, 2);
        assertThat(cleanup.pass(two)).isEqualTo(new Removed(2, 2, 0));
        assertThat(workflows.find("wf-2")).isEmpty();
        assertThat(workflows.find("wf-3")).isPresent();
        assertThat(keys.find("k-2")).isEmpty();
        assertThat(keys.find("k-3")).isPresent();
        assertThat(cleanup.pass(two)).isEqualTo(new Removed(2, 2, 0));
        assertThat(cleanup.pass(two)).isEqualTo(new Removed(1, 1, 0));
        assertThat(cleanup.pass(two)).isEqualTo(new Removed(0, 0, 0));
    }

    @Test // D-26, H21
    void aReservedKeyStaysWhileItsWorkflowIsAtWork() {
        reserved("k", "wf-1");
        Lease lease = granted("wf-1", "worker");
        expireKey("k");
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 0, 0));
        assertThat(keys.find("k")).isPresent();
        leases.release(lease.key(), lease.fence());
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 1, 1));
    }

    @Test
    void aCompletedKeyGoesWhoeverIsAtWork() {
        keys.complete(reserved("k", "wf-1"), fingerprint('a'));
        granted("wf-1", "worker");
        expireKey("k");
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 1, 0));
    }

    @Test // H02, H18: the next workflow of that id is another incarnation, and its leases have greater tokens
    void anIdThatWasRemovedCanBeUsedAgainAsAnother() {
        var first = created("wf-1");
        Fence fence = granted("wf-1", "worker").fence();
        updated(first, moved(first, FAILED));
        expire(LeaseKey.ofWorkflow("wf-1"));
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(1, 0, 1));
        var second = created("wf-1");
        assertThat(second.incarnation()).isNotEqualTo(first.incarnation());
        assertThat(granted("wf-1", "worker").fence().token()).isGreaterThan(fence.token());
    }

    @Test // H10: nor for the same workflow, under its lease
    void aClaimFromBeforeCleanUpDoesNotCompleteTheKeyThatWasReservedAnew() {
        KeyClaim former = reserved("k", "wf-1");
        expireKey("k");
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 1, 0));
        KeyClaim present = reserved("k", "wf-1");
        Fence fence = granted("wf-1", "worker").fence();
        Completion refused = new Completion.Conflict(Binding.RESERVATION);
        assertThat(keys.complete(former, OUTCOME)).isEqualTo(refused);
        assertThat(keys.completeFenced(former, OUTCOME, fence)).isEqualTo(refused);
        StepResult result = memory(running("wf-1"));
        assertThat(steps.finish(former, result, fence)).isEqualTo(new Finished.KeyConflict(Binding.RESERVATION));
        assertThat(steps.finish(present, result, fence)).isInstanceOf(Finished.Done.class);
    }

    @Test // H10
    void aKeyThatWasRemovedHasAGreaterNumberHoweverItIsReservedAgain() {
        Workflow read = running("wf-1");
        Fence fence = granted("wf-1", "worker").fence();
        KeyClaim reserved = reserved("k", "wf-1");
        completedAndRemoved(reserved);
        KeyClaim begun = ((Begun.New) steps.begin(new Step("wf-1", "k", "req-1"), fence)).claim();
        assertThat(begun.reservation()).isGreaterThan(reserved.reservation());
        completedAndRemoved(begun);
        steps.step(new Step("wf-1", "k", "req-1"), memory(read), fence);
        KeyClaim stepped = keys.find("k").orElseThrow().claim();
        assertThat(stepped.reservation()).isGreaterThan(begun.reservation());
        expireKey("k");
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 1, 0));
        assertThat(reserved("k", "wf-1").reservation()).isGreaterThan(stepped.reservation());
    }

    private void completedAndRemoved(KeyClaim claim) {
        keys.complete(claim, OUTCOME);
        expireKey(claim.key());
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(0, 1, 0));
    }

    private static StepResult memory(Workflow read) {
        return new StepResult(read, checkpointed(read, "memory"), OUTCOME, LeaseAfter.KEEP);
    }

    @Test
    void aScopesCleanUpLeavesTheOthersAloneAndTheFacadesDoesAll() {
        Scope neighbour = Scope.of(scope.id() + "-neighbour");
        Stores stores = environment.holdfast().in(neighbour);
        WorkflowState state = WorkflowState.builder("wf-1", "req-1")
                .status(WorkflowStatus.CLOSED)
                .build();
        environment.perform(() -> stores.workflows().create(state, Map.of()));
        ended("wf-1");
        assertThat(cleanup.pass(EVERYTHING)).isEqualTo(new Removed(1, 0, 0));
        assertThat(environment.perform(() -> stores.workflows().find("wf-1"))).isPresent();
        ended("wf-1");
        Removed removed = environment.perform(
                () -> environment.holdfast().cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10_000)));
        assertThat(removed.workflows()).isGreaterThanOrEqualTo(2);
        assertThat(workflows.find("wf-1")).isEmpty();
        assertThat(environment.perform(() -> stores.workflows().find("wf-1"))).isEmpty();
    }
}
