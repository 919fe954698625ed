package io.holdfast.repository.model;

import io.holdfast.idempotency.KeyClaim;
import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowState;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Looks into an answer of the contracts: a record of values, records, optionals, lists and maps. */
final class Answers {

    private Answers() {}

    /**
     * As text, without what the model cannot know: points in time (the tables' are compared), incarnations, and the numbers
     * of reservations (see {@link Numbers}). Spans of time are rounded to hours, the unit in which time passes here.
     */
    static String plain(Object answer) {
        if (answer instanceof WorkflowState state) {
            return Snapshots.write(state);
        }
        if (answer instanceof Instant || answer instanceof UUID) {
            return "-";
        }
        if (answer instanceof KeyClaim claim) {
            return "claim of " + claim.key() + " for " + claim.workflowId();
        }
        if (answer instanceof Duration time) {
            return Math.round(time.toMillis() / 3_600_000.0) + "h";
        }
        if (answer instanceof Optional<?> optional) {
            return optional.map(value -> "some " + plain(value)).orElse("none");
        }
        if (answer instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(e -> plain(e.getKey()) + "=" + plain(e.getValue()))
                    .sorted()
                    .toList()
                    .toString();
        }
        if (answer instanceof Collection<?> list) {
            return list.stream().map(Answers::plain).toList().toString();
        }
        if (answer instanceof Record value) {
            return value.getClass().getSimpleName()
                    + java.util.Arrays.stream(value.getClass().getRecordComponents())
                            .map(part -> part.getName() + "=" + plain(read(value, part)))
                            .collect(Collectors.joining(", ", "(", ")"));
        }
        return String.valueOf(answer);
    }

    /** Shows each record that is in the answer, the answer itself first. The same order for equal answers. */
    static void walk(Object answer, Consumer<Record> visitor) {
        if (answer instanceof Optional<?> optional) {
            optional.ifPresent(value -> walk(value, visitor));
        } else if (answer instanceof Map<?, ?> map) {
            map.values().forEach(value -> walk(value, visitor));
        } else if (answer instanceof Record value && !(value instanceof WorkflowState)) {
            visitor.accept(value);
            for (RecordComponent part : value.getClass().getRecordComponents()) {
                walk(read(value, part), visitor);
            }
        }
    }

    /** All of a kind that {@link #walk} shows, in its order. */
    static <T extends Record> List<T> all(Class<T> kind, Object answer) {
        List<T> all = new ArrayList<>();
        walk(answer, part -> {
            if (kind.isInstance(part)) {
                all.add(kind.cast(part));
            }
        });
        return all;
    }

    private static Object read(Record value, RecordComponent part) {
        try {
            return part.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(part.toString(), e);
        }
    }
}
