package io.holdfast.example.spring;

import io.holdfast.state.Transition;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Workflow;
import java.time.Instant;
import java.util.Map;

/** What may become of an order's workflow. */
final class Moves {

    private static final String RECEIVED = "received";

    private Moves() {}

    // snippet: moves
    static WorkflowState first(String id) {
        return WorkflowState.builder(id, id)
                .status(WorkflowStatus.RUNNING)
                .currentStage(RECEIVED)
                .build();
    }

    static WorkflowState next(Workflow read) {
        return WorkflowRules.checkpoint(
                read.state(), "step-" + read.revision(), "move-" + read.revision(), Instant.now());
    }
    // end

    static WorkflowState failed(Workflow read, String reason) {
        return WorkflowRules.transition(
                read.state(),
                Transition.to(WorkflowStatus.FAILED, "move-" + read.revision(), Instant.now())
                        .withMetadata(Map.of("reason", reason)));
    }

    static String stage(Workflow workflow) {
        return workflow.state().currentStage().orElse(RECEIVED);
    }
}
