package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.failure.InvalidValueException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a refusal says, where the field alone would leave the caller guessing. */
class RefusalTextsTest {

    private static String refusalOf(Map<String, String> labels) {
        try {
            return "accepted: " + Labels.checked(labels).size();
        } catch (InvalidValueException e) {
            assertThat(e.field()).isEqualTo("labels");
            return e.getMessage();
        }
    }

    @Test
    void ofLabelsItSaysWhetherTheirNumberANameOrAValueIsRefused() {
        Map<String, String> tooMany =
                IntStream.range(0, 33).boxed().collect(Collectors.toMap(i -> "name-" + i, i -> "x"));
        assertThat(refusalOf(tooMany)).isEqualTo("labels must have at most 32 entries");
        assertThat(refusalOf(Map.of("a b", "x")))
                .isEqualTo("labels must have names of 1 to 128 characters of A-Z a-z 0-9 _ . - that begin with a letter"
                        + " or digit");
        assertThat(refusalOf(Map.of("a", "x".repeat(257))))
                .isEqualTo("labels must have values of 0 to 256 bytes of UTF-8 with no control character and no lone"
                        + " surrogate");
        assertThat(refusalOf(Map.of("a", "x".repeat(256)))).isEqualTo("accepted: 1");
    }

    /** A duration that has no number of milliseconds in a long is beyond the limit like any other. */
    @Test
    void aTimeoutBeyondItsLimitIsRefusedHoweverFar() {
        Stream<Function<Duration, Settings>> timeouts = Stream.of(
                Settings.DEFAULT::withConnectTimeout,
                Settings.DEFAULT::withCheckoutTimeout,
                Settings.DEFAULT::withCommandTimeout);
        timeouts.forEach(timeout -> Stream.of(
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Duration.ofSeconds(Long.MIN_VALUE),
                        Duration.ofMillis(100).minusNanos(1),
                        Duration.ZERO)
                .forEach(time -> assertThatExceptionOfType(InvalidValueException.class)
                        .isThrownBy(() -> timeout.apply(time))
                        .withMessageMatching("(connect|checkout|command)Timeout must be 0.1 to [0-9]+ seconds")));
        assertThat(Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(100)).commandTimeout())
                .isEqualTo(Duration.ofMillis(100));
    }
}
