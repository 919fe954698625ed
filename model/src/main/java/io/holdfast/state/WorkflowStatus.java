package io.holdfast.state;

import io.holdfast.failure.InvalidValueException;
import java.util.Locale;

/** Where a workflow stands. Which moves are legal is {@link WorkflowRules#allows}. */
public enum WorkflowStatus {
    CREATED,
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CLOSED;

    // Locale.ROOT: in a Turkish locale, FAILED would become "faıled".
    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The lower-case name that is stored. */
    public String wire() {
        return wire;
    }

    /** Whether the workflow is over: nothing moves it any more. */
    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED || this == CLOSED;
    }

    /**
     * The status with that stored name.
     *
     * @throws InvalidValueException if there is none; upper case is none
     */
    public static WorkflowStatus of(String wire) {
        for (WorkflowStatus status : values()) {
            if (status.wire.equals(wire)) {
                return status;
            }
        }
        throw new InvalidValueException("status", "be created, queued, running, succeeded, failed or closed");
    }
}
