package io.holdfast.checkpoint;

import io.holdfast.failure.InvalidValueException;
import java.util.Locale;

/** Where a run stands. */
public enum CheckpointStatus {
    /** Somebody is at work on it, or should be. */
    RUNNING,
    /** It waits for what its checkpoint names; nobody works on it. */
    PAUSED,
    /** Ended as it should. Final. */
    COMPLETED,
    /** Ended by an error. Final. */
    FAILED,
    /** Ended by a person's no. Final. */
    REJECTED;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** As it is stored. */
    public String wire() {
        return wire;
    }

    /** Whether no write changes it any more. */
    public boolean isFinal() {
        return this != RUNNING && this != PAUSED;
    }

    /** @throws InvalidValueException if it is none of the stored names */
    public static CheckpointStatus of(String wire) {
        for (CheckpointStatus status : values()) {
            if (status.wire.equals(wire)) {
                return status;
            }
        }
        throw new InvalidValueException("status", "be running, paused, completed, failed or rejected");
    }
}
