package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.InvalidValueException;
import java.util.Map;

/**
 * Something that happened in a run.
 *
 * @param type what kind of event, in its engine's words: 1 to 128 bytes of UTF-8 without control characters
 * @param payload a JSON object of at most {@link JournalCommit#MAX_OUTPUT_BYTES}, kept byte for byte
 */
public record JournalEvent(String type, String payload) {

    /** The type of an event that names none. */
    public static final String CUSTOM = "custom";

    private static final int MAX_TYPE_BYTES = 128;

    public JournalEvent {
        Identifier.text("type", type, 1, MAX_TYPE_BYTES);
        object(payload);
    }

    /**
     * An event that says its type itself, in its field {@code type}; {@link #CUSTOM} if it has none.
     *
     * @throws InvalidValueException if that field is there and not a text that can be a type
     */
    public static JournalEvent of(String payload) {
        Map<?, ?> event = object(payload);
        if (!event.containsKey("type")) {
            return new JournalEvent(CUSTOM, payload);
        }
        if (event.get("type") instanceof String type) {
            return new JournalEvent(type, payload);
        }
        throw new InvalidValueException("type", "be a text");
    }

    private static Map<?, ?> object(String payload) {
        if (JsonText.read("payload", Given.value("payload", payload), JournalCommit.MAX_OUTPUT_BYTES)
                instanceof Map<?, ?> object) {
            return object;
        }
        throw new InvalidValueException("payload", "be a JSON object");
    }

    /** The type, not the payload. */
    @Override
    public String toString() {
        return type;
    }
}
