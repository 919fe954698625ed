package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MicrosTest {

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00.999999999Z, 2026-01-01T00:00:00.999999Z",
        "2026-01-01T00:00:00.000000999Z, 2026-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999Z",
        "1969-12-31T23:59:59.000000001Z, 1969-12-31T23:59:59Z",
        "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999999Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z, 9999-12-31T23:59:59.999999Z",
    })
    void aTimeIsCutToMicrosecondsAndNeverRoundedUp(Instant given, Instant kept) {
        assertThat(Micros.of("at", given)).isEqualTo(kept);
    }

    // BL-58
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z",
                "+10000-01-01T00:00:00Z",
                "0000-12-31T23:59:59.999999999Z",
                "+294277-01-01T00:00:00Z",
            })
    void aTimeThatTheDatabaseOrADocumentCannotHoldIsRefused(String text) {
        assertThatThrownBy(() -> Micros.of("deadlineAt", Instant.parse(text)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("deadlineAt must be from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z");
    }

    @Test
    void noTimeIsRefused() {
        assertThatThrownBy(() -> Micros.of("at", null)).hasMessage("at must be given");
    }
}
