package io.holdfast.cleanup;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;

/**
 * How fast a policy is run. Clean-up is at work for one part of the time in {@code rest + 1}, and gives way where the database
 * becomes slow: its batches take longer then, so they become smaller and the rests longer.
 *
 * @param batch the most rows that a transaction removes, 1 to 10,000; of leases never more than 100, since new ones wait
 * @param swift a batch that took longer than this halves the next, down to a quarter of {@code batch}; those that took less than
 *     half of it double again. 1 millisecond to a minute
 * @param rest how many times as long as a batch took nothing is done after it, 0 to 100
 * @param pause the least time between a batch that removed something and the next, zero to a minute
 * @param atMost from when on no batch is begun, 1 millisecond to 7 days after the beginning
 */
public record RetentionPace(int batch, Duration swift, int rest, Duration pause, Duration atMost) {

    /** The longest rest, as a multiple of what a batch took. */
    public static final int MAX_REST = 100;

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    /**
     * 100 rows, swift within 5 milliseconds, rests four times as long as the batch and of 5 milliseconds at least, for one
     * hour: some thousand rows a second, so that a load beside it hardly notices.
     */
    public static final RetentionPace DEFAULT =
            new RetentionPace(100, Duration.ofMillis(5), 4, Duration.ofMillis(5), Duration.ofHours(1));

    public RetentionPace {
        if (batch < 1 || batch > Cutoff.MAX_LIMIT) {
            throw new InvalidValueException("batch", "be 1 to 10,000");
        }
        if (Given.value("swift", swift).compareTo(Duration.ofMillis(1)) < 0 || swift.compareTo(MINUTE) > 0) {
            throw new InvalidValueException("swift", "be 1 millisecond to a minute");
        }
        if (rest < 0 || rest > MAX_REST) {
            throw new InvalidValueException("rest", "be 0 to 100");
        }
        if (Given.value("pause", pause).isNegative() || pause.compareTo(MINUTE) > 0) {
            throw new InvalidValueException("pause", "be zero to a minute");
        }
        if (Given.value("atMost", atMost).compareTo(Duration.ofMillis(1)) < 0 || atMost.compareTo(LONGEST) > 0) {
            throw new InvalidValueException("atMost", "be 1 millisecond to 7 days");
        }
    }

    public RetentionPace withBatch(int rows) {
        return new RetentionPace(rows, swift, rest, pause, atMost);
    }

    public RetentionPace withSwift(Duration time) {
        return new RetentionPace(batch, time, rest, pause, atMost);
    }

    public RetentionPace withRest(int times) {
        return new RetentionPace(batch, swift, times, pause, atMost);
    }

    public RetentionPace withPause(Duration time) {
        return new RetentionPace(batch, swift, rest, time, atMost);
    }

    public RetentionPace withAtMost(Duration time) {
        return new RetentionPace(batch, swift, rest, pause, time);
    }
}
