package io.holdfast.state;

/** Why one state cannot follow another, as {@link WorkflowRules#history} judges; the first that applies, in this order. */
public enum HistoryBreach {
    WORKFLOW_CHANGED("the state is of another workflow"),
    REQUEST_CHANGED("the request id changed"),
    EVENTS_LOST("stored events are missing or changed"),
    CHAIN_BROKEN("an added event does not begin where the one before it ended"),
    ILLEGAL_MOVE("an added event is not a legal move"),
    STATUS_MISMATCH("the status is not where the history ends");

    private final String reason;

    HistoryBreach(String reason) {
        this.reason = reason;
    }

    /** In words, without any of the content. */
    public String reason() {
        return reason;
    }
}
