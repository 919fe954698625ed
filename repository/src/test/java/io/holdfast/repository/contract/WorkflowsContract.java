package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.CREATED;
import static io.holdfast.state.WorkflowStatus.FAILED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.RUNNING;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.holdfast.HoldfastException;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.InvalidSnapshotException;
import io.holdfast.state.TransitionRefusedException;
import io.holdfast.state.WorkflowBudget;
import io.holdfast.state.WorkflowEvent;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowSummary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workflows: creating, reading and the compare-and-set by revision. */
abstract class WorkflowsContract extends Contract {

    WorkflowsContract(Environment environment) {
        super(environment);
    }

    @Test // D-01
    void creatingTheSameTwiceIsHeardOfAndLosesNothing() {
        WorkflowState state = WorkflowState.create("wf-1", "req-1");
        Creation first = workflows.create(state, Map.of("team", "blue"));
        assertThat(first)
                .asInstanceOf(type(Creation.Created.class))
                .extracting(c -> c.workflow().revision())
                .isEqualTo(1L);
        Workflow created = ((Creation.Created) first).workflow();
        assertThat(workflows.create(state, Map.of("team", "blue"))).isEqualTo(new Creation.AlreadyCreated(created));
    }

    @Test // D-01
    void anIdWithOtherContentIsTaken() {
        Workflow created = created("wf-1");
        assertThat(workflows.create(WorkflowState.create("wf-1", "req-2"), Map.of()))
                .isEqualTo(new Creation.Taken(1));
        assertThat(workflows.create(created.state(), Map.of("team", "blue"))).isEqualTo(new Creation.Taken(1));
        updated(created, moved(created, QUEUED));
        assertThat(workflows.create(created.state(), Map.of())).isEqualTo(new Creation.Taken(2));
    }

    @ParameterizedTest // D-03
    @EnumSource(WorkflowStatus.class)
    void anyStatusCanBeCreatedWithoutEvents(WorkflowStatus status) {
        Workflow created =
                created(WorkflowState.builder("wf-1", "req-1").status(status).build());
        assertThat(stored("wf-1")).isEqualTo(created);
        assertThat(created.state().status()).isEqualTo(status);
    }

    @Test // BL-23: what is returned is what is read, cut to microseconds, never rounded into the next second
    void nanosecondsAreCutBeforeAnythingIsStored() {
        Instant deadline = Instant.parse("2026-01-01T00:00:00.999999500Z");
        Workflow created = created(
                WorkflowState.builder("wf-1", "req-1").deadlineAt(deadline).build());
        assertThat(created.state().deadlineAt()).contains(Instant.parse("2026-01-01T00:00:00.999999Z"));
        WorkflowState queued = WorkflowRules.transition(
                created.state(), QUEUED, "e1", Instant.parse("2026-01-01T00:00:00.123456789Z"));
        Workflow updated = updated(created, queued);
        assertThat(stored("wf-1").state()).isEqualTo(updated.state());
        assertThat(updated.state().events().get(0).occurredAt()).isEqualTo("2026-01-01T00:00:00.123456Z");
        assertThat(workflows.update(created, queued)).isInstanceOf(Update.AlreadyApplied.class);
    }

    @Test
    void whatIsCreatedIsFoundWithAllItCarries() {
        Workflow created = ((Creation.Created)
                        workflows.create(WorkflowState.create("wf-1", "req-1"), Map.of("team", "blue", "empty", "")))
                .workflow();
        assertThat(workflows.find("wf-1")).contains(created);
        assertThat(created.labels()).containsOnly(Map.entry("team", "blue"), Map.entry("empty", ""));
        assertThat(created.cancelRequest()).isEmpty();
        assertThat(created.updatedAt()).isAfterOrEqualTo(created.createdAt());
        // H44: stored in a session of another time zone than this JVM's, by the clock of the server
        assertThat(environment.value(
                        "select extract(epoch from created_at)::text from {workflow} where scope = ? and id = 'wf-1'",
                        scope.id()))
                .isEqualTo(created.createdAt().getEpochSecond()
                        + ".%06d".formatted(created.createdAt().getNano() / 1000));
    }

    @Test // D-04
    void aCheckpointIsFoundOnlyForItsRequest() {
        Workflow created = created("wf-1");
        assertThat(workflows.findCheckpoint("wf-1", "req-1")).contains(created);
        assertThat(workflows.findCheckpoint("wf-1", "req-2")).isEmpty();
        assertThat(workflows.findCheckpoint("wf-2", "req-1")).isEmpty();
    }

    @Test // D-29
    void aTextThatCannotBeAnIdFindsNothing() {
        for (String id : List.of("", " ", "a\0b", "wf-1\n", "\ud83d", "x".repeat(100_000), "a/b")) {
            assertThat(workflows.find(id)).isEmpty();
            assertThat(workflows.findCheckpoint(id, "req-1")).isEmpty();
        }
    }

    @Test
    void anUpdateCountsTheRevisionAndKeepsTheRest() {
        Workflow created = ((Creation.Created)
                        workflows.create(WorkflowState.create("wf-1", "req-1"), Map.of("team", "blue")))
                .workflow();
        Workflow updated = updated(created, moved(created, QUEUED));
        assertThat(updated.revision()).isEqualTo(2);
        Workflow stored = stored("wf-1");
        assertThat(stored)
                .usingRecursiveComparison()
                .ignoringFields("updatedAt")
                .isEqualTo(updated);
        assertThat(stored.createdAt()).isEqualTo(created.createdAt());
        assertThat(stored.updatedAt()).isAfter(created.updatedAt());
    }

    @Test // H13, H27: the repeat of a call whose answer was lost is recognised by its content
    void anUpdateSentAgainIsAlreadyApplied() {
        Workflow created = created("wf-1");
        WorkflowState queued = moved(created, QUEUED);
        updated(created, queued);
        assertThat(workflows.update(created, queued)).isEqualTo(new Update.AlreadyApplied(stored("wf-1")));
        Workflow second = stored("wf-1");
        WorkflowState failed = moved(second, FAILED);
        updated(second, failed);
        assertThat(workflows.update(second, failed)).isEqualTo(new Update.AlreadyApplied(stored("wf-1")));
    }

    @Test // D-09, H12: there is no update without the revision that was read, so none is broken by its absence (D-06)
    void ofTwoWritersFromOneRevisionTheSecondHearsWhatStandsThere() {
        Workflow created = created("wf-1");
        updated(created, checkpointed(created, "memory"));
        assertThat(workflows.update(created, moved(created, QUEUED))).isEqualTo(new Update.RevisionConflict(2));
        Workflow second = stored("wf-1");
        updated(second, moved(second, QUEUED));
        assertThat(workflows.update(second, checkpointed(second, "plan"))).isEqualTo(new Update.StatusConflict(QUEUED));
        assertThat(stored("wf-1").revision()).isEqualTo(3);
    }

    @Test // D-10, D-12, H13
    void aTerminalStateIsChangedByNoWrite() {
        Workflow running = running("wf-1");
        Workflow ended = updated(running, moved(running, SUCCEEDED));
        assertThat(workflows.update(running, moved(running, FAILED))).isEqualTo(new Update.Terminal(SUCCEEDED));
        WorkflowState another = ended.state().toBuilder().retryCount(1).build();
        assertThat(workflows.update(ended, another)).isEqualTo(new Update.Terminal(SUCCEEDED));
        assertThat(workflows.update(ended, ended.state())).isEqualTo(new Update.Terminal(SUCCEEDED));
    }

    @Test // D-15, D-16, D-18, H17
    void aStateMustGrowOutOfTheOneThatWasRead() {
        Workflow queued = updated(created("wf-1"), moved(WorkflowState.create("wf-1", "req-1"), QUEUED));
        WorkflowState state = queued.state();
        WorkflowState otherRequest = WorkflowState.builder("wf-1", "req-2")
                .status(QUEUED)
                .events(state.events())
                .build();
        refused(queued, otherRequest, HistoryBreach.REQUEST_CHANGED);
        refused(queued, state.toBuilder().events(List.of()).build(), HistoryBreach.EVENTS_LOST);
        refused(queued, ending(state, SUCCEEDED, QUEUED, SUCCEEDED), HistoryBreach.ILLEGAL_MOVE);
        refused(queued, ending(state, SUCCEEDED, RUNNING, SUCCEEDED), HistoryBreach.CHAIN_BROKEN);
        refused(queued, state.toBuilder().status(RUNNING).build(), HistoryBreach.STATUS_MISMATCH);
    }

    private void refused(Workflow read, WorkflowState next, HistoryBreach breach) {
        assertThat(workflows.update(read, next)).isEqualTo(new Update.HistoryConflict(breach));
    }

    private static WorkflowState ending(
            WorkflowState state, WorkflowStatus status, WorkflowStatus from, WorkflowStatus to) {
        WorkflowEvent event = new WorkflowEvent("ev-x", state.workflowId(), from, to, AT, Map.of());
        return state.toBuilder()
                .status(status)
                .events(Stream.concat(state.events().stream(), Stream.of(event)).toList())
                .build();
    }

    @Test // H15: allowed, under a name of its own; the lease's holder hears of it at its next write
    void anUpdateByRevisionAsksForNoLeaseAndItsHolderHearsOfIt() {
        Workflow running = running("wf-1");
        Lease lease = granted("wf-1", "worker");
        updated(running, checkpointed(running, "memory"));
        assertThat(workflows.updateFenced(running, checkpointed(running, "plan"), lease.fence()))
                .isEqualTo(new Update.RevisionConflict(4));
    }

    @Test // H18
    void whatWasReadFromAnEarlierIncarnationWritesNothing() {
        Workflow first = created("wf-1");
        environment.changeRow("delete from {workflow} where scope = ? and id = 'wf-1'", scope.id());
        Workflow second = created("wf-1");
        Lease lease = granted("wf-1", "worker");
        assertThat(second.revision()).isEqualTo(first.revision());
        assertThat(second.incarnation()).isNotEqualTo(first.incarnation());
        assertThat(workflows.update(first, moved(first, QUEUED))).isEqualTo(new Update.NotFound());
        assertThat(workflows.updateFenced(first, moved(first, QUEUED), lease.fence()))
                .isEqualTo(new Update.NotFound());
    }

    @Test // design 4: not found, already applied, terminal, status, revision, history; the first that applies is heard
    void anUpdateHearsTheFirstOfAllThatStandsAgainstIt() {
        Workflow created = created("wf-1");
        WorkflowState illegal = created.state().toBuilder().status(RUNNING).build();
        assertThat(workflows.update(created, illegal))
                .isEqualTo(new Update.HistoryConflict(HistoryBreach.STATUS_MISMATCH));
        Workflow checkpointed = updated(created, checkpointed(created, "memory"));
        assertThat(workflows.update(created, illegal)).isEqualTo(new Update.RevisionConflict(2));
        Workflow queued = updated(checkpointed, moved(checkpointed, QUEUED));
        assertThat(workflows.update(created, illegal)).isEqualTo(new Update.StatusConflict(QUEUED)); // D-07
        updated(queued, moved(queued, CLOSED));
        assertThat(workflows.update(created, illegal)).isEqualTo(new Update.Terminal(CLOSED));
        assertThat(workflows.update(queued, moved(queued, CLOSED))).isInstanceOf(Update.AlreadyApplied.class);
        environment.changeRow("delete from {workflow} where scope = ? and id = 'wf-1'", scope.id());
        assertThat(workflows.update(created, illegal)).isEqualTo(new Update.NotFound());
        assertThat(workflows.update(queued, moved(queued, CLOSED))).isEqualTo(new Update.NotFound());
    }

    @Test // K-10: one event of the budget is kept for the move that ends the workflow
    void aWorkflowWhoseEventsAreUsedUpCanStillFail() {
        Workflow workflow = created(WorkflowState.builder("wf-1", "req-1")
                .budget(WorkflowBudget.DEFAULT.withMaxEvents(5))
                .build());
        workflow = updated(workflow, moved(workflow, QUEUED));
        workflow = updated(workflow, moved(workflow, RUNNING));
        workflow = updated(workflow, checkpointed(workflow, "memory"));
        workflow = updated(workflow, checkpointed(workflow, "plan"));
        Workflow full = workflow;
        assertThatThrownBy(() -> checkpointed(full, "compile")).isInstanceOf(TransitionRefusedException.class);
        updated(full, moved(full, FAILED));
        assertThat(stored("wf-1").state().status()).isEqualTo(FAILED);
    }

    @Test // H36, D-20: in byte order, each id once, page by page
    void aListIsInByteOrderAndPaged() {
        List<String> ordered = List.of("B", "Wf-1", "a", "wf-10", "wf-2", "wf.3", "wf1", "wf_2");
        Stream.of("wf_2", "a", "wf-2", "B", "wf1", "wf-10", "Wf-1", "wf.3").forEach(this::created);
        List<WorkflowSummary> first = workflows.list("", 5);
        List<WorkflowSummary> second = workflows.list(first.get(4).id(), 5);
        assertThat(Stream.concat(first.stream(), second.stream()).map(WorkflowSummary::id))
                .isEqualTo(ordered);
        assertThat(workflows.list("zz", 5)).isEmpty();
    }

    @Test
    void aLineOfAListSaysWhereTheWorkflowStands() {
        running("wf-1");
        workflows.requestCancel("wf-1", "");
        Workflow stored = stored("wf-1");
        assertThat(workflows.list("", 10))
                .containsExactly(new WorkflowSummary("wf-1", "req-1", "running", 3, true, stored.updatedAt()));
    }

    @Test // D-28, H47: the columns and the snapshot may not disagree
    void aSnapshotThatDisagreesWithItsRowIsRefused() {
        created("wf-1");
        environment.changeRow("update {workflow} set status = 'failed' where scope = ?", scope.id());
        assertThatThrownBy(() -> workflows.find("wf-1")).isInstanceOfSatisfying(InvalidSnapshotException.class, e -> {
            assertThat(e.code()).isEqualTo(HoldfastException.Code.INVALID_INPUT);
            assertThat(e.details()).containsEntry("workflow_id", "wf-1");
            assertThat(e.retryable()).isFalse();
        });
        assertThat(workflows.list("", 10)).hasSize(1);
    }

    @Test // H49, F-15: a lease says nothing of its workflow, which need not exist and may be over
    void aTerminalWorkflowCanBeLeasedButNotWritten() {
        Workflow running = running("wf-1");
        Workflow ended = updated(running, moved(running, SUCCEEDED));
        Lease lease = granted("wf-1", "worker");
        assertThat(workflows.updateFenced(ended, ended.state(), lease.fence()))
                .isEqualTo(new Update.Terminal(SUCCEEDED));
        assertThat(leases.find(LeaseKey.ofWorkflow("wf-1"))).isPresent();
        assertThat(created("wf-2").state().status()).isEqualTo(CREATED);
    }
}
