package io.holdfast.agent;

import io.holdfast.failure.InvalidValueException;
import java.util.Locale;

/** Where an agent's run stands, as far as recovery cares. */
public enum AgentStatus {
    /** At work, or left by a crash. */
    RUNNING,
    /** Waits for somebody. */
    PAUSED,
    /** Has come to its end, and is not finished yet. */
    COMPLETED,
    /** Over; nothing is left but that. */
    FINISHED,
    /** Removed by an operator; nothing is left but that. */
    PURGED;

    // Locale.ROOT: in a Turkish locale, RUNNING would become "runnıng".
    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The lower-case name that is stored. */
    public String wire() {
        return wire;
    }

    /** Whether nothing is written to it any more. */
    public boolean isOver() {
        return this == FINISHED || this == PURGED;
    }

    /** The status of a run in this phase. */
    public static AgentStatus of(AgentPhase phase) {
        return switch (phase) {
            case MODEL_NEXT, TOOLS_PENDING -> RUNNING;
            case PAUSED -> PAUSED;
            case COMPLETED -> COMPLETED;
        };
    }

    /**
     * The status with that stored name.
     *
     * @throws InvalidValueException if there is none; upper case is none
     */
    public static AgentStatus of(String wire) {
        for (AgentStatus status : values()) {
            if (status.wire.equals(wire)) {
                return status;
            }
        }
        throw new InvalidValueException("status", "be running, paused, completed, finished or purged");
    }
}
