package io.holdfast.checkpoint;

import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;

/**
 * Where a run was forked from.
 *
 * @param runId the run it comes from
 * @param revision which entry of that run's history it begins with
 * @param steps how many visits that entry had finished
 * @param stateChanged whether it begins with another state than that entry has
 */
public record Fork(String runId, long revision, int steps, boolean stateChanged) {

    public Fork {
        Identifier.text("runId", runId, 1, RunStart.MAX_ID_BYTES);
        if (revision < 1) {
            throw new InvalidValueException("revision", "be 1 or more");
        }
        if (steps < 0) {
            throw new InvalidValueException("steps", "be 0 or more");
        }
    }
}
