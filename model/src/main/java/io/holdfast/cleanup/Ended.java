package io.holdfast.cleanup;

import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalState;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.RunStatus;

/**
 * What has come to its end: of which kind, and how.
 *
 * @param kind any but workflows, keys and leases
 * @param status a final one, as it is stored; of runs any but {@code running}, up to 256 bytes; empty of sessions and
 *     entries, which have none
 */
public record Ended(Kind kind, String status) {

    private static final int MAX_STATUS_BYTES = 256;

    public Ended {
        Given.value("status", status);
        boolean isFinal = switch (Given.value("kind", kind)) {
            case RUNS -> !Identifier.text("status", status, 1, MAX_STATUS_BYTES).equals("running");
            case SESSIONS, ENTRIES -> status.isEmpty();
            case JOURNALS -> isOf(status, RunStatus.COMPLETED.wire(), RunStatus.FAILED.wire());
            case CHECKPOINTS -> CheckpointStatus.of(status).isFinal();
            case APPROVALS -> isSettled(ApprovalState.of(status));
            case AGENTS -> AgentStatus.of(status).isOver();
            case WORKFLOWS, KEYS, LEASES ->
                throw new InvalidValueException("kind", "be none that has a rule of its own");
        };
        if (!isFinal) {
            throw new InvalidValueException("status", "be a final one");
        }
    }

    private static boolean isOf(String status, String one, String other) {
        return status.equals(one) || status.equals(other);
    }

    private static boolean isSettled(ApprovalState state) {
        return state != ApprovalState.PENDING && state != ApprovalState.APPROVED;
    }
}
