package io.holdfast.repository;

import io.holdfast.codec.JsonText;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.run.Run;
import io.holdfast.run.RunEvent;
import io.holdfast.run.Runs;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run as it is stored. Its payloads may be damaged; reading them says so. */
record RunRow(
        String status,
        long revision,
        String incarnation,
        long lastSeq,
        String input,
        String state,
        String metadata,
        Instant createdAt,
        Instant updatedAt) {

    Run run(String id) {
        return new Run(
                id,
                status,
                revision,
                UUID.fromString(incarnation),
                lastSeq,
                stored("run", id, "input", input, Runs.MAX_STATE_BYTES),
                stored("run", id, "state", state, Runs.MAX_STATE_BYTES),
                stored("run", id, "metadata", metadata, Runs.MAX_STATE_BYTES),
                createdAt,
                updatedAt);
    }

    /** An event of a run, as it is stored. */
    record Event(long seq, String type, String payload, Instant at) {

        RunEvent event(String runId) {
            return new RunEvent(seq, type, stored("event of run", runId, "payload", payload, Runs.MAX_EVENT_BYTES), at);
        }
    }

    private static Map<String, @Nullable Object> stored(
            String record, String id, String field, String text, int maxBytes) {
        try {
            if (JsonText.read(field, text, maxBytes) instanceof Map<?, ?> object) {
                return object(object);
            }
        } catch (InvalidValueException e) {
            throw new CorruptRecordException(
                    record, id, field + " must " + e.details().getOrDefault("rule", "be valid"));
        }
        throw new CorruptRecordException(record, id, field + " must be a JSON object");
    }

    /** What a canonical text of ours says, as it would be read. */
    static Map<String, @Nullable Object> object(String field, String text) {
        if (JsonText.read(field, text, Runs.MAX_STATE_BYTES) instanceof Map<?, ?> object) {
            return object(object);
        }
        throw new IllegalStateException("A map was written, and something else read");
    }

    @SuppressWarnings("unchecked") // a parsed object has texts for keys
    private static Map<String, @Nullable Object> object(Map<?, ?> parsed) {
        return (Map<String, @Nullable Object>) parsed;
    }
}
