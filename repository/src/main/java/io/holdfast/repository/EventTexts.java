package io.holdfast.repository;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.run.RunEvent;
import io.holdfast.run.Runs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events as they are sent: two arrays, as PostgreSQL writes them. How a Java array is sent is a setting of the host's
 * persistence unit.
 */
record EventTexts(int count, String types, String payloads) {

    /** @throws InvalidValueException naming the event and the place in it */
    static EventTexts of(List<? extends Map<String, ? extends @Nullable Object>> events, int least) {
        int count = Given.value("events", events).size();
        if (count < least || count > Runs.MAX_EVENTS) {
            throw new InvalidValueException("events", "be " + least + " to " + Runs.MAX_EVENTS);
        }
        StringBuilder types = new StringBuilder("{");
        StringBuilder payloads = new StringBuilder("{");
        int index = 0;
        for (Map<String, ? extends @Nullable Object> event : events) {
            String field = "events[" + index + "]";
            String separator = index++ == 0 ? "" : ",";
            quote(types.append(separator), type(field, Given.value(field, event)));
            quote(payloads.append(separator), Canonical.write(field, event, Runs.MAX_EVENT_BYTES));
        }
        return new EventTexts(
                count, types.append('}').toString(), payloads.append('}').toString());
    }

    private static String type(String field, Map<String, ? extends @Nullable Object> event) {
        if (!event.containsKey("type")) {
            return RunEvent.CUSTOM;
        }
        if (event.get("type") instanceof String type) {
            return Identifier.text(field + ".type", type, 1, Runs.MAX_TYPE_BYTES);
        }
        throw new InvalidValueException(field + ".type", "be a text");
    }

    /** As an element of an array. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2);
        quote(quoted, text);
        return quoted.toString();
    }

    private static void quote(StringBuilder array, String text) {
        array.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                array.append('\\');
            }
            array.append(c);
        }
        array.append('"');
    }
}
