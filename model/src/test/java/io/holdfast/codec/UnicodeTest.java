package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnicodeTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\u007F\u0080", "\u07FF\u0800", "\uFFFF", "\uD83D\uDE00", "a\uD83D\uDE00\u00E9"})
    void theSizeInUtf8IsThatOfTheEncoder(String text) {
        assertThat(Unicode.utf8Length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        assertThat(Unicode.loneSurrogate(text)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"d800,0", "dc00,0", "61 d800,1", "d83d de00 dc00,2", "d83d d83d de00,0", "d800 61,0"})
    void aLoneSurrogateIsFoundWhereItStands(String units, int index) {
        StringBuilder text = new StringBuilder();
        for (String unit : units.split(" ")) {
            text.append((char) Integer.parseInt(unit, 16));
        }
        assertThat(Unicode.loneSurrogate(text.toString())).isEqualTo(index);
    }

    @Test
    void lengthsCountCodePoints() {
        assertThat(Unicode.exceeds("\uD83D\uDE00", 1)).isFalse();
        assertThat(Unicode.exceeds("\uD83D\uDE00a", 1)).isTrue();
    }
}
