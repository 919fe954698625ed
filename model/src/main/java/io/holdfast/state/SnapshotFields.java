package io.holdfast.state;

import io.holdfast.failure.InvalidValueException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object of a snapshot, asked for its fields by name and type. Nothing is coerced: {@code "3"}, {@code 3.0} and
 * {@code true} are not 3. Errors name the field that was asked for; what the document says is never in them.
 */
final class SnapshotFields {

    private final String name;
    private final Map<?, ?> fields;

    SnapshotFields(String name, @Nullable Object document) {
        if (!(document instanceof Map<?, ?> object)) {
            throw new InvalidValueException(name, "be an object");
        }
        this.name = name;
        this.fields = object;
    }

    void refuseOthersThan(Set<String> known) {
        if (!known.containsAll(fields.keySet())) {
            throw new InvalidValueException(name, "have no unknown fields");
        }
    }

    Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        fields.keySet().forEach(key -> names.add(String.valueOf(key)));
        return names;
    }

    boolean has(String field) {
        return fields.containsKey(field);
    }

    @Nullable
    Object get(String field) {
        return fields.get(field);
    }

    SnapshotFields object(String field) {
        return new SnapshotFields(field, get(field));
    }

    String text(String field) {
        if (get(field) instanceof String text) {
            return text;
        }
        throw new InvalidValueException(field, "be a text");
    }

    /** Missing and null are both empty. */
    Optional<String> optionalText(String field) {
        return get(field) == null ? Optional.empty() : Optional.of(text(field));
    }

    int integer(String field, int missing) {
        if (!has(field)) {
            return missing;
        }
        if (get(field) instanceof Long value && value == value.intValue()) {
            return value.intValue();
        }
        throw new InvalidValueException(field, "be an integer of at most 32 bits");
    }

    double number(String field, double missing) {
        if (!has(field)) {
            return missing;
        }
        if (get(field) instanceof Number value) {
            return value.doubleValue();
        }
        throw new InvalidValueException(field, "be a number");
    }

    boolean flag(String field) {
        if (!has(field)) {
            return false;
        }
        if (get(field) instanceof Boolean value) {
            return value;
        }
        throw new InvalidValueException(field, "be true or false");
    }

    List<?> list(String field) {
        if (!has(field)) {
            return List.of();
        }
        if (get(field) instanceof List<?> list) {
            return list;
        }
        throw new InvalidValueException(field, "be a list");
    }

    List<String> texts(String field) {
        List<String> texts = new ArrayList<>();
        for (Object element : list(field)) {
            if (!(element instanceof String text)) {
                throw new InvalidValueException(field, "be a list of texts");
            }
            texts.add(text);
        }
        return texts;
    }

    Map<String, String> textMap(String field) {
        if (!has(field)) {
            return Map.of();
        }
        Map<String, String> texts = new LinkedHashMap<>();
        object(field).fields.forEach((key, value) -> {
            if (!(key instanceof String from && value instanceof String to)) {
                throw new InvalidValueException(field, "be an object whose values are texts");
            }
            texts.put(from, to);
        });
        return texts;
    }

    WorkflowStatus status(String field) {
        try {
            return WorkflowStatus.of(text(field));
        } catch (InvalidValueException e) {
            throw new InvalidValueException(field, e.details().getOrDefault("rule", ""));
        }
    }

    Optional<Instant> optionalTime(String field) {
        return get(field) == null ? Optional.empty() : Optional.of(time(field));
    }

    Instant time(String field) {
        try {
            return SnapshotTime.read(text(field));
        } catch (DateTimeException e) {
            throw new InvalidValueException(field, "be a time such as 2026-01-31T09:30:00.000001+00:00");
        }
    }
}
