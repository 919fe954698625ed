package io.holdfast.checkpoint;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Micros;
import java.time.Instant;
import java.util.Optional;

/**
 * A run in a list, without what it has saved: a list reads no document, so none that is damaged spoils it.
 *
 * @param status as stored; that of a {@link CheckpointStatus} unless a newer release wrote it
 */
public record CheckpointSummary(
        String runId,
        Definition definition,
        String status,
        Optional<String> node,
        int steps,
        long revision,
        Instant createdAt,
        Instant updatedAt) {

    /** Where it stands in a list that is ordered by creation. */
    public Place place() {
        return new Place(createdAt, runId);
    }

    /** Behind which run to go on. */
    public record Place(Instant createdAt, String runId) {

        public Place {
            createdAt = Micros.of("createdAt", createdAt);
            Identifier.text("runId", Given.value("runId", runId), 1, RunStart.MAX_ID_BYTES);
        }
    }
}
