package io.holdfast.lease;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import java.util.regex.Pattern;

/**
 * What is leased, within a scope.
 *
 * @param kind a constant of the code that leases: 1 to 63 of {@code a-z 0-9 _ . -}, a letter first
 * @param id which one of that kind: 1 to 1,024 bytes of UTF-8 without control characters; a workflow's id for
 *     {@link #WORKFLOW}, a run's for {@link #RUN}
 */
public record LeaseKey(String kind, String id) {

    /** The kind of the lease that guards a workflow; its id is the workflow's. */
    public static final String WORKFLOW = "workflow";

    /** The kind of the lease that guards a run, its journal and its checkpoints; its id is the run's. */
    public static final String RUN = "run";

    /** The longest id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 1_024;

    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_.-]{0,62}");

    public LeaseKey {
        if (!KIND.matcher(Given.value("kind", kind)).matches()) {
            throw new InvalidValueException("kind", "be 1 to 63 characters of a-z 0-9 _ . - and begin with a letter");
        }
        if (kind.equals(WORKFLOW)) {
            Identifier.ident("workflowId", id);
        } else {
            Identifier.text("id", id, 1, MAX_ID_BYTES);
        }
    }

    /** The lease of a workflow. The workflow need not exist, and may be terminal. */
    public static LeaseKey ofWorkflow(String workflowId) {
        return new LeaseKey(WORKFLOW, workflowId);
    }

    /** The lease of a run. The run need not exist, and may be finished. */
    public static LeaseKey ofRun(String runId) {
        return new LeaseKey(RUN, Identifier.text("runId", runId, 1, MAX_ID_BYTES));
    }
}
