package io.holdfast.cleanup;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;

/** Ages that a database can subtract from now. */
final class Ages {

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Ages() {}

    static void bounded(String field, Duration age) {
        if (Given.value(field, age).isNegative() || age.compareTo(LONGEST) > 0) {
            throw new InvalidValueException(field, "be zero to 36,500 days");
        }
    }
}
