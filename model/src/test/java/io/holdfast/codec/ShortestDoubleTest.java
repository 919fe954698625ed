package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortestDoubleTest {

    // Values and the two notations: Python's repr, ECMAScript's Number::toString (samples of RFC 8785, appendix B,
    // among them).
    @ParameterizedTest
    @CsvSource({
        "300,300.0,300",
        "0.5,0.5,0.5",
        "0.0001,0.0001,0.0001",
        "0.00005,5e-05,0.00005",
        "1e-7,1e-07,1e-7",
        "0.000001,1e-06,0.000001",
        "86400,86400.0,86400",
        "2.0E-3,0.002,0.002",
        "1.0E23,1e+23,1e+23",
        "2e23,2e+23,2e+23",
        "5e-324,5e-324,5e-324",
        "1e-323,1e-323,1e-323",
        "2.2250738585072014e-308,2.2250738585072014e-308,2.2250738585072014e-308",
        "2.225073858507201e-308,2.225073858507201e-308,2.225073858507201e-308",
        "1.7976931348623157e308,1.7976931348623157e+308,1.7976931348623157e+308",
        "9007199254740991,9007199254740991.0,9007199254740991",
        "9007199254740992,9007199254740992.0,9007199254740992",
        "9007199254740993,9007199254740992.0,9007199254740992",
        "9007199254740994,9007199254740994.0,9007199254740994",
        "1e15,1000000000000000.0,1000000000000000",
        "1e16,1e+16,10000000000000000",
        "123456789012345680,1.2345678901234568e+17,123456789012345680",
        "1e20,1e+20,100000000000000000000",
        "1e21,1e+21,1e+21",
        "295147905179352830000,2.9514790517935283e+20,295147905179352830000",
        "999999999999999900000,9.999999999999999e+20,999999999999999900000",
        "333333333.33333329,333333333.3333333,333333333.3333333",
        "0.1,0.1,0.1",
        "0.30000000000000004,0.30000000000000004,0.30000000000000004",
        "1.5e300,1.5e+300,1.5e+300",
        "9.5367431640625e-7,9.5367431640625e-07,9.5367431640625e-7",
        "5.684341886080802e-14,5.684341886080802e-14,5.684341886080802e-14",
        "-1.5,-1.5,-1.5",
        "0.0,0.0,0",
        "-0.0,-0.0,0",
    })
    void aDoubleIsWrittenWithTheFewestDigitsInBothNotations(double value, String pythonic, String ecmaScript) {
        assertThat(pythonic(value)).isEqualTo(pythonic);
        assertThat(ecmaScript(value)).isEqualTo(ecmaScript);
    }

    @Test
    void powersOfTwoOfWhichTheLowerNeighbourIsNearerAreFoundTooWithTheFewestDigits() {
        assertThat(pythonic(Math.scalb(1.0, -44))).isEqualTo("5.684341886080802e-14");
        assertThat(pythonic(Math.scalb(1.0, -1022))).isEqualTo("2.2250738585072014e-308");
    }

    @Test
    void everyDoubleReadsBackAsItselfAndNoShorterOneWould() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                continue;
            }
            String text = pythonic(value);
            assertThat(Double.parseDouble(text)).as("seed %d", seed).isEqualTo(value);
            assertThat(Double.parseDouble(ecmaScript(value)))
                    .as("seed %d", seed)
                    .isEqualTo(value);
            assertThat(digits(text)).as("%s, seed %d", text, seed).isLessThanOrEqualTo(digits(Double.toString(value)));
        }
    }

    private static int digits(String number) {
        return new BigDecimal(number).stripTrailingZeros().precision();
    }

    private static String pythonic(double value) {
        StringBuilder out = new StringBuilder();
        ShortestDouble.pythonic(out, value);
        return out.toString();
    }

    private static String ecmaScript(double value) {
        StringBuilder out = new StringBuilder();
        ShortestDouble.ecmaScript(out, value);
        return out.toString();
    }
}
