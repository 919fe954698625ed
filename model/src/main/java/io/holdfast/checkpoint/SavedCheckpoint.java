package io.holdfast.checkpoint;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A run as it was stored at one moment; what a save has to name.
 *
 * @param run which run it is
 * @param checkpoint the last that was saved; its status and what it waits for as they are now
 * @param revision counts the writes of the run, from 1
 * @param incarnation tells this run from one that was purged under the same id
 * @param startedVersion the version of the definition in the first entry of the history; empty if it has none, or as long as
 *     there is no entry
 * @param createdAt by the database's clock
 * @param updatedAt when it was last written, by the database's clock
 */
public record SavedCheckpoint(
        RunStart run,
        Checkpoint checkpoint,
        long revision,
        UUID incarnation,
        Optional<String> startedVersion,
        Instant createdAt,
        Instant updatedAt) {

    public SavedCheckpoint {
        Given.value("run", run);
        Given.value("checkpoint", checkpoint);
        Given.value("incarnation", incarnation);
        Given.value("startedVersion", startedVersion);
        Given.value("createdAt", createdAt);
        Given.value("updatedAt", updatedAt);
    }

    public String runId() {
        return run.runId();
    }
}
