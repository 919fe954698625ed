package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.failure.InvalidValueException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

    private static final String MARKER = "hunter2";

    @Test
    @SuppressWarnings("unchecked")
    void aDocumentIsReadAsPlainValuesInTheOrderOfTheText() {
        Object tree = read(" {\"b\" : [1, -2.5, true, null, \"\\u0000\\ud83d\\ude00\"],\n\"a\":{}, \"\":1e2} ");

        assertThat(tree).isInstanceOfSatisfying(Map.class, map -> {
            assertThat(map.keySet()).containsExactly("b", "a", "");
            assertThat((List<Object>) map.get("b")).containsExactly(1L, -2.5, true, null, "\u0000\uD83D\uDE00");
            assertThat(map.get("")).isEqualTo(100.0);
        });
    }

    @Test
    @SuppressWarnings("unchecked")
    void whatIsReadCannotBeChanged() {
        Map<String, Object> map = (Map<String, Object>) read("{\"a\":[1]}");
        assertThatThrownBy(() -> map.put("b", 1)).isInstanceOf(UnsupportedOperationException.class);
        List<Object> list = (List<Object>) map.get("a");
        assertThatThrownBy(() -> list.add(2)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void integersAreExactAndTheLongestHasAThousandDigits() {
        assertThat(read("9007199254740993")).isEqualTo(9_007_199_254_740_993L);
        assertThat(read("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(read("9223372036854775808")).isEqualTo(new BigInteger("9223372036854775808"));
        assertThat(read("9".repeat(1_000))).isEqualTo(new BigInteger("9".repeat(1_000)));
        refused("1" + "0".repeat(1_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  \n",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "[1] x",
                "{} {}",
                "1 2",
                "NaN",
                "[Infinity]",
                "[01]",
                "[+1]",
                "[.5]",
                "// x\n{}",
                "\"\t\"",
                "\"\\x41\"",
                "\"hunter2",
                "[hunter2]",
                "{\"hunter2\" 1}",
                "[1e400]",
                "[-1e400]",
                "truehunter2",
            })
    void whatIsNotOneDocumentOfPlainJsonIsRefused(String text) {
        refused(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "[{\"x\":{\"hunter2\":null,\"hunter2\":null}}]",
            })
    void aKeyTwiceInOneObjectIsRefusedHoweverItIsSpelled(String text) {
        assertThat(refused(text)).contains("must have no key twice in an object (at character ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[\"hunter2\\ud800\"]", "[\"hunter2\\udc00\"]", "{\"\uD800hunter2\":1}", "[\"\uD800hunter2\"]"})
    void aLoneSurrogateIsRefusedWithItsPosition(String text) {
        assertThat(refused(text)).contains("must hold no lone surrogate (at character 1)");
    }

    @Test
    void anEscapedLoneSurrogateInAKeyIsRefusedAndAPairIsNot() {
        assertThat(refused("{\"hunter2\\ud800\":1}")).contains("(at character ");
        assertThat(refused("{\"hunter2\\udc00\":1}")).contains("(at character ");
        assertThat(read("{\"\\ud83d\\ude00\":1}")).isEqualTo(Map.of("\uD83D\uDE00", 1L));
    }

    @Test
    void aByteOrderMarkIsRefusedAsSuch() {
        assertThat(refused("\uFEFF{}")).isEqualTo("payload must be JSON without a byte order mark");
    }

    @Test
    void fiveHundredLevelsAreReadAndOneMoreIsRefused() {
        assertThat(read("[".repeat(500) + "]".repeat(500))).isInstanceOf(List.class);
        refused("[".repeat(501) + "]".repeat(501));
        refused("{\"a\":".repeat(501) + "1" + "}".repeat(501));
        refused("[".repeat(100_000));
    }

    @Test
    void theLimitIsInBytesOfUtf8() {
        String text = "\"\u00E9\uD83D\uDE00\"";
        assertThat(JsonText.read("text", text, 8)).isEqualTo("\u00E9\uD83D\uDE00");
        assertThatThrownBy(() -> JsonText.read("text", text, 7))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("text must be at most 7 bytes of UTF-8");
    }

    @Test
    void longTextsAndNamesAreReadUpToTheLimit() {
        String large = "x".repeat(200_000);
        assertThat(read("{\"" + large + "\":\"" + large + "\"}")).isEqualTo(Map.of(large, large));
    }

    private static Object read(String text) {
        return JsonText.read("payload", text, 1 << 20);
    }

    /** Refuses, shows nothing of the text, and returns the message. */
    private static String refused(String text) {
        InvalidValueException refusal =
                assertThrows(InvalidValueException.class, () -> JsonText.read("payload", text, 1 << 20));
        assertThat(refusal.field()).isEqualTo("payload");
        assertThat(refusal).hasNoCause();
        assertThat(refusal.toString() + refusal.details()).doesNotContain(MARKER);
        return refusal.getMessage();
    }
}
