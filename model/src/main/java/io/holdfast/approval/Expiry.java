package io.holdfast.approval;

import io.holdfast.codec.Given;
import io.holdfast.codec.Micros;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Until when an approval can be decided and consumed, by the database's clock: at the very instant it no longer can.
 *
 * @param after so long after it is registered: 1 millisecond to 3,650 days, cut to whole milliseconds
 * @param at at a time that was told to somebody, perhaps over already; cut to microseconds. Not both; neither: never
 */
public record Expiry(Optional<Duration> after, Optional<Instant> at) {

    private static final Duration MIN = Duration.ofMillis(1);
    private static final Duration MAX = Duration.ofDays(3_650);

    /** It can wait for ever. */
    public static final Expiry NEVER = new Expiry(Optional.empty(), Optional.empty());

    /** An hour: for who has no reason for another time. */
    public static final Expiry DEFAULT = after(Duration.ofHours(1));

    public Expiry {
        Given.value("expiry", after).ifPresent(time -> {
            if (time.compareTo(MIN) < 0 || time.compareTo(MAX) > 0) {
                throw new InvalidValueException("expiry", "be after 1 millisecond to 3,650 days, at a time, or never");
            }
        });
        if (after.isPresent() && Given.value("expiry", at).isPresent()) {
            throw new InvalidValueException("expiry", "be after a time or at one, not both");
        }
        after = after.map(time -> Duration.ofMillis(time.toMillis()));
        at = Given.value("expiry", at).map(time -> Micros.of("expiry", time));
    }

    public static Expiry after(Duration time) {
        return new Expiry(Optional.of(Given.value("expiry", time)), Optional.empty());
    }

    public static Expiry at(Instant time) {
        return new Expiry(Optional.empty(), Optional.of(Given.value("expiry", time)));
    }

    /** {@link #after} in milliseconds; null if it is not that. */
    public @Nullable Long millis() {
        return after.map(Duration::toMillis).orElse(null);
    }
}
