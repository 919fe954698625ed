package io.holdfast.run;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Unicode;
import io.holdfast.failure.InvalidValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an update does to a run. Its {@code toString} shows no payload.
 *
 * @param status the next one: 1 to 64 characters without control characters
 * @param stateUpdate merged into the top level of the state: a key that is there is replaced, one set to null stays as null,
 *     none is removed
 * @param events at most {@value Runs#MAX_EVENTS}, in their order; see {@link Runs#append}
 * @param unless statuses that it may not follow on; at most 16
 */
public record RunChange(
        String status,
        Map<String, @Nullable Object> stateUpdate,
        List<Map<String, @Nullable Object>> events,
        Set<String> unless) {

    private static final int MAX_UNLESS = 16;

    public RunChange {
        status("status", status);
        stateUpdate = Collections.unmodifiableMap(new LinkedHashMap<>(Given.value("stateUpdate", stateUpdate)));
        Given.value("events", events).forEach(event -> Given.value("events", event));
        if (events.size() > Runs.MAX_EVENTS) {
            throw new InvalidValueException("events", "be at most " + Runs.MAX_EVENTS);
        }
        events = List.copyOf(events);
        Given.value("unless", unless).forEach(other -> status("unless", other));
        if (unless.size() > MAX_UNLESS) {
            throw new InvalidValueException("unless", "be at most " + MAX_UNLESS + " statuses");
        }
        unless = Set.copyOf(unless);
    }

    /** To another status or the same; state and log stay as they are. */
    public static RunChange to(String status) {
        return new RunChange(status, Map.of(), List.of(), Set.of());
    }

    /** With more to be merged into the state; a key that was said before gets this value. */
    public RunChange merging(Map<String, ? extends @Nullable Object> update) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(stateUpdate);
        all.putAll(Given.value("update", update));
        return new RunChange(status, all, events, unless);
    }

    /** With one event more. */
    public RunChange logging(Map<String, ? extends @Nullable Object> event) {
        List<Map<String, @Nullable Object>> all = new ArrayList<>(events);
        all.add(Collections.unmodifiableMap(new LinkedHashMap<>(Given.value("event", event))));
        return new RunChange(status, stateUpdate, all, unless);
    }

    /** Only if the run has none of these statuses: so one that has ended is not set running again. */
    public RunChange unless(String... statuses) {
        Set<String> all = new HashSet<>();
        for (String other : Given.value("statuses", statuses)) {
            all.add(Given.value("statuses", other));
        }
        return new RunChange(status, stateUpdate, events, all);
    }

    private static void status(String field, String status) {
        // Four bytes a character at most; the length that counts is in characters.
        if (Unicode.exceeds(Identifier.text(field, status, 1, 4 * Runs.MAX_STATUS), Runs.MAX_STATUS)) {
            throw new InvalidValueException(field, "be 1 to " + Runs.MAX_STATUS + " characters");
        }
    }

    @Override
    public String toString() {
        return "RunChange[status=" + status + ", events=" + events.size() + ", unless=" + unless + "]";
    }
}
