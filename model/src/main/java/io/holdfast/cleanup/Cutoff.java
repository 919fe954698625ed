package io.holdfast.cleanup;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;

/**
 * What is old enough to be removed, counted back from the database's clock.
 *
 * @param finished workflows that ended so long ago; zero or more
 * @param expired keys and leases whose time was over so long ago; zero or more
 * @param limit the most rows of each of the three kinds in a pass, 1 to 10,000
 */
public record Cutoff(Duration finished, Duration expired, int limit) {

    /** The largest limit of a pass. */
    public static final int MAX_LIMIT = 10_000;

    private static final Duration MAX_AGE = Duration.ofDays(36_500);

    public Cutoff {
        age("finished", finished);
        age("expired", expired);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidValueException("limit", "be 1 to " + MAX_LIMIT);
        }
    }

    private static void age(String field, Duration age) {
        if (Given.value(field, age).isNegative() || age.compareTo(MAX_AGE) > 0) {
            throw new InvalidValueException(field, "be zero to 36,500 days");
        }
    }
}
