package io.holdfast.step;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Workflow;

/**
 * What a step has made of the workflow.
 *
 * @param read the workflow as it was read
 * @param next its state after the step
 * @param outcome fingerprint of the step's outcome: {@code sha256:} and 64 lower-case hex digits
 * @param leaseAfter whether the worker goes on with this workflow
 */
public record StepResult(Workflow read, WorkflowState next, String outcome, LeaseAfter leaseAfter) {

    public StepResult {
        Given.value("read", read);
        Given.value("next", next);
        Given.value("leaseAfter", leaseAfter);
        Identifier.fingerprint("outcome", outcome);
        if (!read.id().equals(next.workflowId())) {
            throw new InvalidValueException("next", "be a state of the workflow that was read");
        }
    }

    /** What becomes of the workflow's lease. */
    public enum LeaseAfter {
        /** It stays with the worker. */
        KEEP,
        /** It is free for anyone. */
        RELEASE
    }
}
