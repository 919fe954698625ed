package io.holdfast.checkpoint;

import io.holdfast.codec.Given;
import java.time.Instant;

/**
 * One save, as it was.
 *
 * @param revision the revision that it made
 * @param savedAt by the database's clock
 */
public record HistoryEntry(String runId, long revision, Checkpoint checkpoint, Instant savedAt) {

    public HistoryEntry {
        Given.value("runId", runId);
        Given.value("checkpoint", checkpoint);
        Given.value("savedAt", savedAt);
    }

    /** To fork a run here. */
    public Fork fork(boolean stateChanged) {
        return new Fork(runId, revision, checkpoint.steps(), stateChanged);
    }
}
