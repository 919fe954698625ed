package io.holdfast.cleanup;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many rows are removed, or would be; of sessions, how many are emptied. What belongs to a row, as events to a run, goes
 * with it and is not counted.
 *
 * @param counts by kind; those with none are left out
 */
public record Removed(Map<Kind, Integer> counts) {

    public static final Removed NOTHING = new Removed(Map.of());

    public Removed {
        Map<Kind, Integer> some = new EnumMap<>(Kind.class);
        Given.value("counts", counts).forEach((kind, count) -> {
            if (Given.value("counts", count) < 0) {
                throw new InvalidValueException("counts", "be 0 or more");
            }
            if (count > 0) {
                some.put(Given.value("counts", kind), count);
            }
        });
        counts = Collections.unmodifiableMap(some);
    }

    public Removed(int workflows, int keys, int leases) {
        this(Map.of(Kind.WORKFLOWS, workflows, Kind.KEYS, keys, Kind.LEASES, leases));
    }

    /** So many of one kind. */
    public static Removed of(Kind kind, int count) {
        return new Removed(Map.of(Given.value("kind", kind), count));
    }

    public int count(Kind kind) {
        return counts.getOrDefault(Given.value("kind", kind), 0);
    }

    public int workflows() {
        return count(Kind.WORKFLOWS);
    }

    public int keys() {
        return count(Kind.KEYS);
    }

    public int leases() {
        return count(Kind.LEASES);
    }

    public int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    public Removed plus(Removed more) {
        Map<Kind, Integer> sum = new EnumMap<>(Kind.class);
        sum.putAll(counts);
        Given.value("more", more).counts.forEach((kind, count) -> sum.merge(kind, count, Integer::sum));
        return new Removed(sum);
    }
}
