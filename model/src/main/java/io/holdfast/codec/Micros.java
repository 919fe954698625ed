package io.holdfast.codec;

import io.holdfast.failure.InvalidValueException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Times as the database keeps them: whole microseconds, years 1 to 9999. What is compared or returned is cut to this
 * first, so that a time reads back as it was written.
 */
public final class Micros {

    /** The earliest time that is accepted. */
    public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    /** The latest time that is accepted. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private Micros() {}

    /**
     * Cuts {@code time} to microseconds, always towards the past, also before 1970: nothing lasts longer for having been
     * stored.
     *
     * @throws InvalidValueException naming {@code field} if the time lies outside {@link #EARLIEST} to {@link #LATEST}
     */
    public static Instant of(String field, Instant time) {
        if (time == null) {
            throw new InvalidValueException(field, "be given");
        }
        // The last nanoseconds of year 9999 are still within: they are cut before they are judged.
        if (time.isBefore(EARLIEST) || time.getEpochSecond() > LATEST.getEpochSecond()) {
            throw new InvalidValueException(field, "be from " + EARLIEST + " to " + LATEST);
        }
        return time.truncatedTo(ChronoUnit.MICROS);
    }
}
