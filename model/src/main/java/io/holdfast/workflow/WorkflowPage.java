package io.holdfast.workflow;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A part of a list that is ordered by creation, oldest first.
 *
 * @param next where the page after this one begins; empty if this one was not full. Workflows that are created or removed in
 *     between move nothing: none is shown twice, and none that was there all the time is left out
 */
public record WorkflowPage(List<Line> lines, Optional<Place> next) {

    public WorkflowPage {
        lines = List.copyOf(lines);
    }

    /** A workflow, with what tells where it stands in the order. */
    public record Line(WorkflowSummary workflow, Instant createdAt) {}

    /** Behind which workflow to go on. */
    public record Place(Instant createdAt, String id) {}
}
