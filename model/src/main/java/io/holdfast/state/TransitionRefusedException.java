package io.holdfast.state;

import io.holdfast.HoldfastException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules do not allow the move or checkpoint; the state is as it was. {@code INVALID_TRANSITION} has the details
 * {@code from} and {@code to}, or {@code workflow_id} and {@code status} for a checkpoint of a workflow that is over;
 * {@code BUDGET_EXCEEDED} has {@code attempts} and {@code max_attempts}, or {@code events} and {@code max_events}: used,
 * and allowed.
 */
public final class TransitionRefusedException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private TransitionRefusedException(Code code, String message, Map<String, String> details) {
        super(code, false, message, details);
    }

    static TransitionRefusedException move(WorkflowStatus from, WorkflowStatus to) {
        String message = from.isTerminal()
                ? "cannot transition from terminal status " + from.wire()
                : "cannot transition from " + from.wire() + " to " + to.wire() + "; from " + from.wire() + ": "
                        + legal(from);
        return new TransitionRefusedException(
                Code.INVALID_TRANSITION, message, Map.of("from", from.wire(), "to", to.wire()));
    }

    private static String legal(WorkflowStatus from) {
        return Stream.of(WorkflowStatus.values())
                .filter(to -> WorkflowRules.allows(from, to))
                .map(WorkflowStatus::wire)
                .collect(Collectors.joining(", "));
    }

    static TransitionRefusedException over(WorkflowState state) {
        return new TransitionRefusedException(
                Code.INVALID_TRANSITION,
                "cannot checkpoint in terminal status " + state.status().wire(),
                Map.of(
                        "workflow_id",
                        state.workflowId(),
                        "status",
                        state.status().wire()));
    }

    static TransitionRefusedException attempts(WorkflowState state) {
        return budget("attempts", state.attempts(), state.budget().maxAttempts(), "");
    }

    static TransitionRefusedException events(WorkflowState state) {
        String kept = ", the last of which is kept for the move that ends the workflow";
        return budget("events", state.events().size(), state.budget().maxEvents(), kept);
    }

    private static TransitionRefusedException budget(String what, int used, int max, String why) {
        return new TransitionRefusedException(
                Code.BUDGET_EXCEEDED,
                what + " budget is used up: " + used + " of " + max + why,
                Map.of(what, Integer.toString(used), "max_" + what, Integer.toString(max)));
    }
}
