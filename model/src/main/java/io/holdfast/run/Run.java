package io.holdfast.run;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as it was stored at one moment; what an update has to name. Its {@code toString} shows no payload.
 *
 * @param status in the application's words; {@code running} at first
 * @param revision counts the writes of status and state, from 1
 * @param incarnation tells this row from one that was removed under the same id
 * @param lastSeq the number of the last event; 0 without one
 * @param input the state at creation
 * @param metadata as it was given at creation
 * @param createdAt by the database's clock
 * @param updatedAt when the run or its events were last written, by the database's clock
 */
public record Run(
        String id,
        String status,
        long revision,
        UUID incarnation,
        long lastSeq,
        Map<String, @Nullable Object> input,
        Map<String, @Nullable Object> state,
        Map<String, @Nullable Object> metadata,
        Instant createdAt,
        Instant updatedAt) {

    public Run {
        Given.value("id", id);
        Given.value("status", status);
        Given.value("incarnation", incarnation);
        Given.value("input", input);
        Given.value("state", state);
        Given.value("metadata", metadata);
        Given.value("createdAt", createdAt);
        Given.value("updatedAt", updatedAt);
    }

    @Override
    public String toString() {
        return "Run[id=" + id + ", status=" + status + ", revision=" + revision + ", lastSeq=" + lastSeq + "]";
    }
}
