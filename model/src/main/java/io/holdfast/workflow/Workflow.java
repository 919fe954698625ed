package io.holdfast.workflow;

import io.holdfast.codec.Given;
import io.holdfast.state.WorkflowState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A workflow as it was stored at one moment; what a write has to name.
 *
 * @param state its last snapshot
 * @param revision counts the writes of the state, from 1
 * @param incarnation tells this row from one that was removed under the same id
 * @param cancelRequest who looks at it between steps stops in time
 * @param labels given at creation, to search by
 * @param createdAt by the database's clock
 * @param updatedAt when the state was last written, by the database's clock
 */
public record Workflow(
        WorkflowState state,
        long revision,
        UUID incarnation,
        Optional<CancelRequest> cancelRequest,
        Map<String, String> labels,
        Instant createdAt,
        Instant updatedAt) {

    public Workflow {
        Given.value("state", state);
        Given.value("incarnation", incarnation);
        Given.value("cancelRequest", cancelRequest);
        Given.value("labels", labels).forEach((name, value) -> {
            Given.value("labels", name);
            Given.value("labels", value);
        });
        Given.value("createdAt", createdAt);
        Given.value("updatedAt", updatedAt);
        labels = Map.copyOf(labels);
    }

    public String id() {
        return state.workflowId();
    }
}
