package io.holdfast.state;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Unicode;
import io.holdfast.failure.InvalidValueException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The check and the copy of an event's metadata. Errors say {@code metadata}: names and values are the application's. */
final class Metadata {

    private Metadata() {}

    static Map<String, String> checked(Map<String, String> metadata) {
        Given.value("metadata", metadata);
        // Copied first, judged after: a map that another thread is changing is judged as it is kept.
        SortedMap<String, String> copy = new TreeMap<>(Canonical.KEY_ORDER);
        metadata.forEach((name, value) -> copy.put(Given.value("metadata", name), value));
        if (copy.size() > WorkflowEvent.MAX_METADATA) {
            throw new InvalidValueException("metadata", "have at most 32 entries");
        }
        copy.forEach(Metadata::check);
        return copy.isEmpty() ? Map.of() : Collections.unmodifiableSortedMap(copy);
    }

    private static void check(String name, String value) {
        if (name.isEmpty() || Unicode.exceeds(name, WorkflowEvent.MAX_METADATA_NAME)) {
            throw new InvalidValueException("metadata", "have names of 1 to 128 code points");
        }
        if (value == null || Unicode.exceeds(value, WorkflowEvent.MAX_METADATA_VALUE)) {
            throw new InvalidValueException("metadata", "have values of 0 to 4096 code points");
        }
        if (Unicode.loneSurrogate(name) >= 0 || Unicode.loneSurrogate(value) >= 0) {
            throw new InvalidValueException("metadata", "hold no lone surrogate");
        }
        if (ForbiddenNames.forbids(name)) {
            throw new InvalidValueException("metadata", "use none of the forbidden names: " + ForbiddenNames.LISTED);
        }
    }
}
