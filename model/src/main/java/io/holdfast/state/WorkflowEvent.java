package io.holdfast.state;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Micros;
import java.time.Instant;
import java.util.Map;

/**
 * One entry of a workflow's history: a move, or a checkpoint when both statuses are the same. Immutable; the map is
 * copied.
 *
 * @param eventId the caller's name for it, 1 to 128 characters ({@link Identifier#ident}); need not be unique
 * @param workflowId the workflow it belongs to
 * @param occurredAt by the caller's clock, for people to read; decides nothing. Cut to microseconds
 * @param metadata at most 32 entries; names of 1 to 128, values of up to 4,096 code points, no lone surrogates; see
 *     {@link ForbiddenNames} for names that are refused. Iterates in the order of its names' code points
 */
public record WorkflowEvent(
        String eventId,
        String workflowId,
        WorkflowStatus fromStatus,
        WorkflowStatus toStatus,
        Instant occurredAt,
        Map<String, String> metadata) {

    /** The most entries of metadata. */
    public static final int MAX_METADATA = 32;

    /** The longest name of a metadata entry, in code points. */
    public static final int MAX_METADATA_NAME = 128;

    /** The longest value of a metadata entry, in code points. */
    public static final int MAX_METADATA_VALUE = 4_096;

    public WorkflowEvent {
        Identifier.ident("eventId", eventId);
        Identifier.ident("workflowId", workflowId);
        Given.value("fromStatus", fromStatus);
        Given.value("toStatus", toStatus);
        occurredAt = Micros.of("occurredAt", occurredAt);
        metadata = Metadata.checked(metadata);
    }

    /** Whether this is a checkpoint: the workflow stayed where it was. */
    public boolean isCheckpoint() {
        return fromStatus == toStatus;
    }

    /** Without the metadata, which is the application's. */
    @Override
    public String toString() {
        return "WorkflowEvent[" + eventId + " of " + workflowId + ", " + fromStatus.wire() + " to " + toStatus.wire()
                + " at " + occurredAt + ", " + metadata.size() + " metadata]";
    }
}
