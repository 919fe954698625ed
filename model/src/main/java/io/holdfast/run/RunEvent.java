package io.holdfast.run;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a run. Its {@code toString} shows no payload.
 *
 * @param seq its number in the run, from 1 without a gap
 * @param type the payload's field {@code type}, or {@value #CUSTOM} where that has none
 * @param payload the whole event, as it was given
 * @param at by the database's clock; those of one write have one time
 */
public record RunEvent(long seq, String type, Map<String, @Nullable Object> payload, Instant at) {

    /** The type of an event that names none. */
    public static final String CUSTOM = "custom";

    public RunEvent {
        Given.value("type", type);
        Given.value("payload", payload);
        Given.value("at", at);
    }

    @Override
    public String toString() {
        return "RunEvent[seq=" + seq + ", type=" + type + ", at=" + at + "]";
    }
}
