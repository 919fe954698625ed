package io.holdfast.example.spring;

import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Workflow;

/** An order and its workflow, as clients see them. */
record OrderView(String id, String item, int quantity, String stage, WorkflowView workflow) {

    record WorkflowView(WorkflowStatus status, long revision, String stage) {

        private static WorkflowView of(WorkflowState state, long revision) {
            return new WorkflowView(
                    state.status(), revision, state.currentStage().orElse(""));
        }
    }

    static OrderView of(PurchaseOrder order, Workflow workflow) {
        return of(order, WorkflowView.of(workflow.state(), workflow.revision()));
    }

    static OrderView of(ListedOrder listed) {
        return of(listed.order(), WorkflowView.of(Snapshots.read(listed.snapshot()), listed.revision()));
    }

    private static OrderView of(PurchaseOrder order, WorkflowView workflow) {
        return new OrderView(order.getId(), order.getItem(), order.getQuantity(), order.getStage(), workflow);
    }
}
