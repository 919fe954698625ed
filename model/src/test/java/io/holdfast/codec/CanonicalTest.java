package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalTest {

    @Test
    void goldenTextsAndDigestsAreMetByteForByte() {
        golden(Map.of(), "{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");

        Map<String, Object> mixed = new LinkedHashMap<>();
        mixed.put("b", 1);
        mixed.put("a", Arrays.asList(1, 2.0, null, true));
        golden(
                mixed,
                "{\"a\":[1,2.0,null,true],\"b\":1}",
                "cad0b23918716709c31c4a177484dd1cce2f72c941ba5c3f5d35cd80b8c10d98");

        golden(
                Map.of("\uE000", 1, "\uD83D\uDE00", 2),
                "{\"\uE000\":1,\"\uD83D\uDE00\":2}",
                "871954531859c7572c6279f90eb83a594ddc3a289e8bdc28d2a84ffb8c1a1703");

        golden(
                Map.of(
                        "f",
                        0.1,
                        "g",
                        1.5e300,
                        "i",
                        new BigInteger("12345678901234567890"),
                        "m",
                        1e-7,
                        "n",
                        1e16,
                        "z",
                        -0.0),
                "{\"f\":0.1,\"g\":1.5e+300,\"i\":12345678901234567890,\"m\":1e-07,\"n\":1e+16,\"z\":-0.0}",
                "f2b287caf320b56f7fc17763d9df9178cc1050e53ed6540ba2a114c3804a99cc");

        golden(
                Map.of("a", "\u2028/\u007F\u0001\n\"\\", "\u00E9", "\u00F1"),
                "{\"a\":\"\u2028/\u007F\\u0001\\n\\\"\\\\\",\"\u00E9\":\"\u00F1\"}",
                "8f9fae4ab7b575d0e249e76f21f95d483b3b04c0b05384bc1370d054a2ee625c");
    }

    @Test
    void onlyWhatMustBeEscapedIsEscapedWithLowerCaseDigits() {
        assertThat(Canonical.write("text", "\u0000\b\t\n\u000B\f\r\u001F \"\\/<\u007F\u0085\u2028\u00E9\uD83D\uDE00"))
                .isEqualTo("\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/<\u007F\u0085\u2028\u00E9\uD83D\uDE00\"");
    }

    // B-03
    @Test
    void keysAreSortedByCodePointAndNotByUtf16Unit() {
        Map<String, Object> keys = new HashMap<>();
        for (String key :
                List.of("\uD83D\uDE00", "\uFFEE", "\u00E9", "a", "Z", "", "aa", "\uD83D\uDE00a", "\uD83D\uDE01")) {
            keys.put(key, 0);
        }
        assertThat(Canonical.write("keys", keys))
                .isEqualTo("{\"\":0,\"Z\":0,\"a\":0,\"aa\":0,\"\u00E9\":0,\"\uFFEE\":0,"
                        + "\"\uD83D\uDE00\":0,\"\uD83D\uDE00a\":0,\"\uD83D\uDE01\":0}");
    }

    @Test
    void integersOfAnySizeAreExact() {
        List<Object> integers = List.of(
                (byte) -1,
                (short) 2,
                3,
                Long.MIN_VALUE,
                9_007_199_254_740_993L,
                BigInteger.TEN.pow(1_000).subtract(BigInteger.ONE));
        assertThat(Canonical.write("integers", integers))
                .isEqualTo("[-1,2,3,-9223372036854775808,9007199254740993," + "9".repeat(1_000) + "]");
        refused(List.of(BigInteger.TEN.pow(1_000)), "value must hold no integer of more than 1000 digits (at /0)");
    }

    @Test
    void aDecimalIsWrittenIfADoubleKeepsItAndRefusedIfNot() {
        assertThat(Canonical.write("price", List.of(new BigDecimal("0.10"), new BigDecimal("3"), 0.1f)))
                .isEqualTo("[0.1,3.0,0.10000000149011612]");
        refused(
                new BigDecimal("0.1234567890123456789"),
                "value must hold no decimal with more digits than a double keeps;" + " write it as text (at the top)");
        refused(
                new BigDecimal("1e400"),
                "value must hold no decimal with more digits than a double keeps;" + " write it as text (at the top)");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoNumberIsRefusedAndItsPlaceIsSaid(double value) {
        refused(
                Map.of("a/b", List.of(1, Map.of("~c", value))),
                "value must hold no NaN and no infinity (at /a~1b/1/~0c)");
    }

    // B-21
    @ParameterizedTest
    @ValueSource(strings = {"\uD800", "\uDC00", "x\uD800y", "\uDE00\uD83D", "\uD83D\uD83D\uDE00"})
    void aLoneSurrogateIsRefusedAndItsPlaceIsSaid(String text) {
        refused(List.of("fine \uD83D\uDE00", text), "value must hold no lone surrogate (at /1)");
        refused(Map.of(text, 1), "value must hold no lone surrogate (at /" + Prose.cut(text, 64) + ")");
    }

    @Test
    void otherTypesAreRefused() {
        refused(new Object(), "value must be made of maps, lists, texts, numbers, booleans and nulls (at the top)");
        refused(Map.of("a", 'x'), "value must be made of maps, lists, texts, numbers, booleans and nulls (at /a)");
        refused(List.of(new AtomicInteger()), "value must hold no number of another type than Java's own (at /0)");
        refused(Map.of(1, 2), "value must have texts for keys (at the top)");
        refused(Collections.singletonMap(null, 2), "value must have texts for keys (at the top)");
    }

    @Test
    void fiveHundredLevelsAreWrittenAndOneMoreIsRefused() {
        assertThat(Canonical.write("deep", nested(JsonText.MAX_DEPTH))).hasSize(2 * JsonText.MAX_DEPTH);
        assertThatThrownBy(() -> Canonical.write("deep", nested(JsonText.MAX_DEPTH + 1)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("deep must be nested at most 500 deep (at /0/0");
    }

    @Test
    void theLimitIsInBytesOfUtf8() {
        assertThat(Canonical.write("text", "\u00E9\uD83D\uDE00", 8)).isEqualTo("\"\u00E9\uD83D\uDE00\"");
        assertThatThrownBy(() -> Canonical.write("text", "\u00E9\uD83D\uDE00", 7))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("text must be at most 7 bytes of UTF-8");
    }

    @Test
    void aPlaceIsCutAndCleaned() {
        String key = "k\n" + "x".repeat(1_000);
        assertThatThrownBy(() -> Canonical.write("value", Map.of(key, Double.NaN)))
                .hasMessage("value must hold no NaN and no infinity (at /k\uFFFD" + "x".repeat(62) + ")");
    }

    private static Object nested(int levels) {
        Object tree = List.of();
        for (int i = 1; i < levels; i++) {
            tree = List.of(tree);
        }
        return tree;
    }

    private static void golden(Object tree, String text, String sha256) {
        assertThat(Canonical.write("golden", tree)).isEqualTo(text);
        assertThat(Fingerprint.ofText(text)).isEqualTo("sha256:" + sha256);
    }

    private static void refused(Object tree, String message) {
        assertThatThrownBy(() -> Canonical.write("value", tree))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(message);
    }
}
