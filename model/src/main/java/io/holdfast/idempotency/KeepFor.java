package io.holdfast.idempotency;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a key is kept: first while it is reserved, then anew once it is completed.
 *
 * @param time 1 millisecond to 3,650 days, cut to whole milliseconds; empty: for ever
 */
public record KeepFor(Optional<Duration> time) {

    private static final Duration MIN = Duration.ofMillis(1);
    private static final Duration MAX = Duration.ofDays(3_650);

    /** Until somebody removes it by hand. */
    public static final KeepFor EVER = new KeepFor(Optional.empty());

    /** A day: for who has no reason for another time. */
    public static final KeepFor DEFAULT = of(Duration.ofDays(1));

    public KeepFor {
        Given.value("keepFor", time).ifPresent(t -> {
            if (t.compareTo(MIN) < 0 || t.compareTo(MAX) > 0) {
                throw new InvalidValueException("keepFor", "be 1 millisecond to 3,650 days, or for ever");
            }
        });
    }

    /** The time in milliseconds; null: for ever. */
    public @Nullable Long millis() {
        return time.map(Duration::toMillis).orElse(null);
    }

    public static KeepFor of(Duration time) {
        return new KeepFor(Optional.of(Given.value("keepFor", time)));
    }
}
