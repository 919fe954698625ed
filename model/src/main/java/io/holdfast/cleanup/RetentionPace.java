package io.holdfast.cleanup;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;

/**
 * How fast a policy is run.
 *
 * @param batch the most rows that a transaction removes, 1 to 10,000; of leases never more than 100, since new ones wait
 * @param pause between a batch that removed something and the next, zero to a minute
 * @param atMost from when on no batch is begun, 1 millisecond to 7 days after the beginning
 */
public record RetentionPace(int batch, Duration pause, Duration atMost) {

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    /** 500 rows, 20 milliseconds, one hour: some 10,000 rows a second, and no transaction of more than a few milliseconds. */
    public static final RetentionPace DEFAULT = new RetentionPace(500, Duration.ofMillis(20), Duration.ofHours(1));

    public RetentionPace {
        if (batch < 1 || batch > Cutoff.MAX_LIMIT) {
            throw new InvalidValueException("batch", "be 1 to 10,000");
        }
        if (Given.value("pause", pause).isNegative() || pause.compareTo(LONGEST_PAUSE) > 0) {
            throw new InvalidValueException("pause", "be zero to a minute");
        }
        if (Given.value("atMost", atMost).compareTo(Duration.ofMillis(1)) < 0 || atMost.compareTo(LONGEST) > 0) {
            throw new InvalidValueException("atMost", "be 1 millisecond to 7 days");
        }
    }

    public RetentionPace withBatch(int rows) {
        return new RetentionPace(rows, pause, atMost);
    }

    public RetentionPace withPause(Duration time) {
        return new RetentionPace(batch, time, atMost);
    }

    public RetentionPace withAtMost(Duration time) {
        return new RetentionPace(batch, pause, time);
    }
}
