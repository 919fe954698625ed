package io.holdfast.workflow;

import java.time.Instant;

/**
 * A line of a list.
 *
 * @param status as it is stored; a newer release may know more names than this one
 */
public record WorkflowSummary(
        String id, String requestId, String status, long revision, boolean cancelRequested, Instant updatedAt) {}
