package io.holdfast.example.quarkus;

/** An order with its workflow, as a client sees it. */
public record OrderView(String id, String item, int quantity, String stage, WorkflowView workflow) {

    /** @param status in capitals */
    public record WorkflowView(String status, long revision, String stage) {}
}
