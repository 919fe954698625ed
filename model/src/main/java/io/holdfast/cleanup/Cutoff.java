package io.holdfast.cleanup;

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

    public Cutoff {
        Ages.bounded("finished", finished);
        Ages.bounded("expired", expired);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidValueException("limit", "be 1 to " + MAX_LIMIT);
        }
    }
}
