package io.holdfast.journal;

import io.holdfast.codec.Given;
import java.time.Instant;

/**
 * An event as it is stored.
 *
 * @param sequence counts the run's events from 1, without gaps
 * @param type what kind of event
 * @param payload the event as JSON, byte for byte
 * @param at when it was committed, by the database's clock; never earlier than the event before it
 */
public record RecordedEvent(long sequence, String type, String payload, Instant at) {

    public RecordedEvent {
        Given.value("type", type);
        Given.value("payload", payload);
        Given.value("at", at);
    }

    /** Its number and type, not the payload. */
    @Override
    public String toString() {
        return sequence + " " + type;
    }
}
