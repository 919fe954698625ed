package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    @Test
    void theExampleOfRfc8785IsMet() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("numbers", List.of(333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001));
        example.put("string", "\u20ac$\u000F\nA'B\"\\\\\"/");
        example.put("literals", Arrays.asList(null, true, false));
        assertThat(Fingerprint.text("example", example))
                .isEqualTo("{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void keysAreSortedByUtf16UnitUnlikeTheOtherForm() {
        Map<String, Object> keys = Map.of("\uFFEE", 1, "\uD83D\uDE00", 2);
        assertThat(Fingerprint.text("keys", keys)).isEqualTo("{\"\uD83D\uDE00\":2,\"\uFFEE\":1}");
        assertThat(Canonical.write("keys", keys)).isEqualTo("{\"\uFFEE\":1,\"\uD83D\uDE00\":2}");
    }

    @Test
    void numbersAreThoseOfEcmaScript() {
        assertThat(Fingerprint.text("numbers", List.of(2.0, -0.0, 1e21, 1e20, 1e-7, 7, -9_007_199_254_740_991L)))
                .isEqualTo("[2,0,1e+21,100000000000000000000,1e-7,7,-9007199254740991]");
    }

    @Test
    void anIntegerThatADoubleDoesNotKeepIsRefused() {
        assertThatThrownBy(() -> Fingerprint.of("scope", Map.of("n", 9_007_199_254_740_992L)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("scope must hold no integer beyond 2^53-1 (at /n)");
    }

    @Test
    void whatIsNotJsonIsRefused() {
        assertThatThrownBy(() -> Fingerprint.of("scope", List.of(Double.NaN)))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> Fingerprint.of("scope", List.of("\uD800"))).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aFingerprintHasTheFormOfOne() {
        assertThat(Fingerprint.of("scope", Map.of()))
                .satisfies(f -> assertThat(Identifier.isFingerprint(f)).isTrue());
    }
}
