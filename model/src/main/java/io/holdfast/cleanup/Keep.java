package io.holdfast.cleanup;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How much of one kind and status a scope keeps. What is older than the time or not among the newest may go; of the two, one
 * may be left open.
 *
 * @param time kept for so long after the end, by the database's clock; zero to 36,500 days
 * @param newest at most so many are kept, those created last unless the rule says otherwise; 0 to 1,000,000
 */
public record Keep(Optional<Duration> time, OptionalInt newest) {

    /** The largest number to keep of a status: so many index entries are read to find the last of them. */
    public static final int MAX_NEWEST = 1_000_000;

    public Keep {
        Given.value("time", time).ifPresent(age -> Ages.bounded("time", age));
        int most = Given.value("newest", newest).orElse(0);
        if (most < 0 || most > MAX_NEWEST) {
            throw new InvalidValueException("newest", "be 0 to 1,000,000");
        }
        if (time.isEmpty() && newest.isEmpty()) {
            throw new InvalidValueException(
                    "time", "be given where newest is not: what is kept for ever needs no entry");
        }
    }

    public static Keep during(Duration time) {
        return new Keep(Optional.of(Given.value("time", time)), OptionalInt.empty());
    }

    public static Keep newest(int most) {
        return new Keep(Optional.empty(), OptionalInt.of(most));
    }

    /** The same, and no more than so many. */
    public Keep atMost(int most) {
        return new Keep(time, OptionalInt.of(most));
    }
}
