package io.holdfast.step;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.idempotency.KeepFor;

/**
 * A step of a workflow: the key that stands for it, and the request it serves.
 *
 * @param workflowId whose lease and state it is about
 * @param key the step's idempotency key, unique within the scope; the workflow's id and the step's name make a good one
 * @param requestId the request that the workflow works on
 * @param keepFor how long the key is kept
 */
public record Step(String workflowId, String key, String requestId, KeepFor keepFor) {

    public Step {
        Identifier.ident("workflowId", workflowId);
        Identifier.key("key", key);
        Identifier.ident("requestId", requestId);
        Given.value("keepFor", keepFor);
    }

    /** A step whose key is kept for {@link KeepFor#DEFAULT}. */
    public Step(String workflowId, String key, String requestId) {
        this(workflowId, key, requestId, KeepFor.DEFAULT);
    }
}
