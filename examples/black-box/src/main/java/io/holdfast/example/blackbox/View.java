package io.holdfast.example.blackbox;

/** An order and its workflow as the application shows them. */
record View(
        Answer from,
        String id,
        String item,
        long quantity,
        String stage,
        String status,
        long revision,
        String workflowStage) {

    static View of(Answer answer) {
        return new View(
                answer,
                answer.text("id"),
                answer.text("item"),
                answer.number("quantity"),
                answer.text("stage"),
                answer.text("workflow.status"),
                answer.number("workflow.revision"),
                answer.text("workflow.stage"));
    }

    /** The two rows tell of the same moment. */
    View inStep() {
        from.expect("workflow.stage, as the order's row says,", stage, workflowStage);
        return this;
    }

    View at(long wanted) {
        from.expect("workflow.revision", wanted, revision);
        return this;
    }

    View in(String wanted) {
        from.expect("workflow.status", wanted, status);
        return this;
    }

    /** Row and workflow are as they were then. */
    View same(View then) {
        from.expect("item", then.item, item);
        from.expect("quantity", then.quantity, quantity);
        from.expect("stage", then.stage, stage);
        from.expect("workflow.stage", then.workflowStage, workflowStage);
        return in(then.status).at(then.revision);
    }

    /** One move on from then: the next revision, and another stage of the workflow. */
    View movedOnFrom(View then) {
        if (workflowStage.equals(then.workflowStage)) {
            throw from.wrong("expected a workflow.stage other than " + then.workflowStage);
        }
        return at(then.revision + 1);
    }
}
