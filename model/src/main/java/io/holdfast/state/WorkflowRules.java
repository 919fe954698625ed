package io.holdfast.state;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a workflow may move. Pure functions: they take a state and give the next one; nothing is stored, no clock is read.
 *
 * <table>
 * <caption>Legal moves</caption>
 * <tr><th>from</th><th>to</th></tr>
 * <tr><td>created</td><td>queued, failed, closed</td></tr>
 * <tr><td>queued</td><td>running (one attempt more), failed, closed</td></tr>
 * <tr><td>running</td><td>queued (to try again), succeeded, failed, closed</td></tr>
 * </table>
 */
public final class WorkflowRules {

    /** The metadata entry in which a checkpoint's event carries its stage. */
    public static final String STAGE = "stage";

    private WorkflowRules() {}

    /** Whether {@code from} to {@code to} is a legal move. A checkpoint, from a status to itself, is not a move. */
    public static boolean allows(WorkflowStatus from, WorkflowStatus to) {
        Given.value("to", to);
        return switch (Given.value("from", from)) {
            case CREATED -> to == WorkflowStatus.QUEUED || to == WorkflowStatus.FAILED || to == WorkflowStatus.CLOSED;
            case QUEUED -> to == WorkflowStatus.RUNNING || to == WorkflowStatus.FAILED || to == WorkflowStatus.CLOSED;
            case RUNNING -> to == WorkflowStatus.QUEUED || to.isTerminal();
            case SUCCEEDED, FAILED, CLOSED -> false;
        };
    }

    /** {@link #transition(WorkflowState, Transition)} without metadata and with the counters as they are. */
    public static WorkflowState transition(
            WorkflowState state, WorkflowStatus target, String eventId, Instant occurredAt) {
        return transition(state, Transition.to(target, eventId, occurredAt));
    }

    /**
     * The state after the move: new status, one event more, one attempt more if it now runs, the counters that were given.
     * Everything else is carried over.
     *
     * <p>A move that ends the workflow is never refused for its events, and every other move leaves one event of the
     * budget unused for it: a workflow can always end.
     *
     * @throws TransitionRefusedException if the move is not legal, attempts are used up, or events are, judged in that order
     * @throws io.holdfast.failure.InvalidValueException if a field of the event or a counter breaks its limit
     */
    public static WorkflowState transition(WorkflowState state, Transition move) {
        Given.value("state", state);
        Given.value("move", move);
        WorkflowStatus target = Given.value("target", move.target());
        if (!allows(state.status(), target)) {
            throw TransitionRefusedException.move(state.status(), target);
        }
        int attempts = target == WorkflowStatus.RUNNING ? state.attempts() + 1 : state.attempts();
        if (target == WorkflowStatus.RUNNING && attempts > state.budget().maxAttempts()) {
            throw TransitionRefusedException.attempts(state);
        }
        if (!target.isTerminal()) {
            refuseLastEvent(state);
        }
        WorkflowEvent event = new WorkflowEvent(
                move.eventId(), state.workflowId(), state.status(), target, move.occurredAt(), move.metadata());
        return state.toBuilder()
                .status(target)
                .attempts(attempts)
                .events(appended(state, event))
                .retryCount(move.retryCount().orElse(state.retryCount()))
                .repairCount(move.repairCount().orElse(state.repairCount()))
                .build();
    }

    /** {@link #checkpoint(WorkflowState, Checkpoint)} that changes the stage only. */
    public static WorkflowState checkpoint(WorkflowState state, String stage, String eventId, Instant occurredAt) {
        return checkpoint(state, Checkpoint.at(stage, eventId, occurredAt));
    }

    /**
     * The state with the new stage, one event more, and what else was given in place of what it had. Status and attempts
     * stay. Allowed until the workflow is over; leaves one event of the budget unused, as {@link #transition} does.
     *
     * @throws TransitionRefusedException if the workflow is over or its events are used up, judged in that order
     * @throws io.holdfast.failure.InvalidValueException if a field breaks its limit
     */
    public static WorkflowState checkpoint(WorkflowState state, Checkpoint progress) {
        Given.value("state", state);
        Given.value("progress", progress);
        if (state.status().isTerminal()) {
            throw TransitionRefusedException.over(state);
        }
        refuseLastEvent(state);
        String stage = Given.value("currentStage", progress.stage());
        Map<String, String> metadata = new HashMap<>(Given.value("metadata", progress.metadata()));
        metadata.put(STAGE, stage);
        WorkflowEvent event = new WorkflowEvent(
                progress.eventId(),
                state.workflowId(),
                state.status(),
                state.status(),
                progress.occurredAt(),
                metadata);
        return state.toBuilder()
                .currentStage(stage)
                .events(appended(state, event))
                .gateEvidenceFingerprints(progress.gateEvidenceFingerprints().orElse(state.gateEvidenceFingerprints()))
                .compatibilityFingerprints(
                        progress.compatibilityFingerprints().orElse(state.compatibilityFingerprints()))
                .cancellationRequested(progress.cancellationRequested().orElse(state.cancellationRequested()))
                .build();
    }

    /**
     * Whether {@code next} may follow {@code stored}: it has the same ids, its history begins with the stored one
     * unchanged, and what was added leads, move by legal move or checkpoint, from the stored status to the new one.
     * Returns the first breach, or empty if there is none.
     *
     * <p>Events already stored are not judged again: a state may come from elsewhere with a history that does not chain.
     */
    public static Optional<HistoryBreach> history(WorkflowState stored, WorkflowState next) {
        Given.value("stored", stored);
        Given.value("next", next);
        if (!next.workflowId().equals(stored.workflowId())) {
            return Optional.of(HistoryBreach.WORKFLOW_CHANGED);
        }
        if (!next.requestId().equals(stored.requestId())) {
            return Optional.of(HistoryBreach.REQUEST_CHANGED);
        }
        int known = stored.events().size();
        if (next.events().size() < known || !next.events().subList(0, known).equals(stored.events())) {
            return Optional.of(HistoryBreach.EVENTS_LOST);
        }
        WorkflowStatus reached = stored.status();
        for (WorkflowEvent event : next.events().subList(known, next.events().size())) {
            if (event.fromStatus() != reached) {
                return Optional.of(HistoryBreach.CHAIN_BROKEN);
            }
            if (!follows(event)) {
                return Optional.of(HistoryBreach.ILLEGAL_MOVE);
            }
            reached = event.toStatus();
        }
        return next.status() == reached ? Optional.empty() : Optional.of(HistoryBreach.STATUS_MISMATCH);
    }

    private static boolean follows(WorkflowEvent event) {
        // A workflow that is over takes no checkpoint either.
        return event.isCheckpoint() ? !event.fromStatus().isTerminal() : allows(event.fromStatus(), event.toStatus());
    }

    private static void refuseLastEvent(WorkflowState state) {
        if (state.events().size() + 1 >= state.budget().maxEvents()) {
            throw TransitionRefusedException.events(state);
        }
    }

    private static List<WorkflowEvent> appended(WorkflowState state, WorkflowEvent event) {
        List<WorkflowEvent> events = new ArrayList<>(state.events().size() + 1);
        events.addAll(state.events());
        events.add(event);
        return events;
    }
}
