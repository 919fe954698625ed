package io.holdfast.state;

import static io.holdfast.state.WorkflowStatus.CREATED;
import static io.holdfast.state.WorkflowStatus.FAILED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.RUNNING;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rule of what may follow a stored state: hole H17 of the reference. */
class HistoryTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private final WorkflowState created = WorkflowState.create("wf-1", "req-1");
    private final WorkflowState queued = WorkflowRules.transition(created, QUEUED, "ev-1", AT);
    private final WorkflowState running = WorkflowRules.transition(queued, RUNNING, "ev-2", AT);

    @Test
    void whatTheRulesMakeMayFollow() {
        WorkflowState further = WorkflowRules.checkpoint(running, Stages.PLAN, "ev-3", AT);
        assertThat(WorkflowRules.history(created, queued)).isEmpty();
        assertThat(WorkflowRules.history(queued, running)).isEmpty();
        assertThat(WorkflowRules.history(running, further)).isEmpty();
        assertThat(WorkflowRules.history(running, WorkflowRules.transition(further, FAILED, "ev-4", AT)))
                .isEmpty();
    }

    @Test
    void severalStepsMayBeStoredAtOnce() {
        assertThat(WorkflowRules.history(created, running)).isEmpty();
    }

    @Test
    void aStateMayFollowItselfAndChangeWithoutAnEventAsLongAsItsStatusStays() {
        assertThat(WorkflowRules.history(queued, queued)).isEmpty();
        assertThat(WorkflowRules.history(
                        queued, queued.toBuilder().retryCount(1).build()))
                .isEmpty();
    }

    // D-15
    @Test
    void theRequestMayNotChange() {
        WorkflowState other = WorkflowState.builder("wf-1", "req-2").build();
        assertThat(WorkflowRules.history(created, other)).contains(HistoryBreach.REQUEST_CHANGED);
    }

    @Test
    void theWorkflowMayNotChange() {
        assertThat(WorkflowRules.history(created, WorkflowState.create("wf-2", "req-1")))
                .contains(HistoryBreach.WORKFLOW_CHANGED);
    }

    // D-16
    @Test
    void aWorkflowThatNeverRanHasNotSucceeded() {
        WorkflowState jumped = queued.toBuilder()
                .status(SUCCEEDED)
                .events(appended(queued, event("ev-2", QUEUED, SUCCEEDED)))
                .build();
        assertThat(WorkflowRules.history(queued, jumped)).contains(HistoryBreach.ILLEGAL_MOVE);
        WorkflowState untold = queued.toBuilder().status(SUCCEEDED).build();
        assertThat(WorkflowRules.history(queued, untold)).contains(HistoryBreach.STATUS_MISMATCH);
    }

    // D-18
    @Test
    void noStoredEventMayBeDroppedChangedOrMoved() {
        WorkflowState dropped =
                running.toBuilder().events(running.events().subList(0, 1)).build();
        assertThat(WorkflowRules.history(running, dropped)).contains(HistoryBreach.EVENTS_LOST);

        WorkflowState changed = running.toBuilder()
                .events(List.of(event("ev-9", CREATED, QUEUED), running.events().get(1)))
                .build();
        assertThat(WorkflowRules.history(running, changed)).contains(HistoryBreach.EVENTS_LOST);

        WorkflowState moved = running.toBuilder()
                .events(List.of(running.events().get(1), running.events().get(0)))
                .build();
        assertThat(WorkflowRules.history(running, moved)).contains(HistoryBreach.EVENTS_LOST);

        WorkflowEvent retold = new WorkflowEvent("ev-1", "wf-1", CREATED, QUEUED, AT, Map.of("note", "added"));
        WorkflowState rewritten = queued.toBuilder().events(List.of(retold)).build();
        assertThat(WorkflowRules.history(queued, rewritten)).contains(HistoryBreach.EVENTS_LOST);
    }

    @Test
    void addedEventsBeginWhereTheStoredStateStands() {
        WorkflowState unchained = queued.toBuilder()
                .status(SUCCEEDED)
                .events(appended(queued, event("ev-2", RUNNING, SUCCEEDED)))
                .build();
        assertThat(WorkflowRules.history(queued, unchained)).contains(HistoryBreach.CHAIN_BROKEN);
    }

    @Test
    void theLastAddedEventEndsAtTheNewStatus() {
        WorkflowState elsewhere = running.toBuilder().status(FAILED).build();
        assertThat(WorkflowRules.history(queued, elsewhere)).contains(HistoryBreach.STATUS_MISMATCH);
    }

    @Test
    void nothingFollowsTheEndNotEvenACheckpoint() {
        WorkflowState failed = WorkflowRules.transition(running, FAILED, "ev-3", AT);
        WorkflowState checkpointed = failed.toBuilder()
                .events(appended(failed, event("ev-4", FAILED, FAILED)))
                .build();
        assertThat(WorkflowRules.history(failed, checkpointed)).contains(HistoryBreach.ILLEGAL_MOVE);
    }

    // 4.3: reference tests create states whose history does not match their status.
    @Test
    void aStoredHistoryThatDoesNotChainIsNotJudgedAgain() {
        WorkflowState odd = created.toBuilder()
                .status(RUNNING)
                .events(List.of(event("ev-1", SUCCEEDED, CREATED)))
                .build();
        assertThat(WorkflowRules.history(odd, WorkflowRules.transition(odd, SUCCEEDED, "ev-2", AT)))
                .isEmpty();
    }

    private static List<WorkflowEvent> appended(WorkflowState state, WorkflowEvent event) {
        return Stream.concat(state.events().stream(), Stream.of(event)).toList();
    }

    private static WorkflowEvent event(String id, WorkflowStatus from, WorkflowStatus to) {
        return new WorkflowEvent(id, "wf-1", from, to, AT, Map.of());
    }
}
