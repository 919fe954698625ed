package io.holdfast.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisTest {

    private static final Axis LINEAR = Axis.linear("calls");
    private static final Axis LOGARITHMIC = Axis.logarithmic("rows");

    @Test
    void aLinearAxisGoesFromZeroInRoundStepsBeyondTheMost() {
        assertThat(LINEAR.ticks(3, 7.3)).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0);
        assertThat(LINEAR.ticks(0, 1_234)).containsExactly(0.0, 200.0, 400.0, 600.0, 800.0, 1000.0, 1200.0, 1400.0);
        assertThat(LINEAR.ticks(0, 0)).hasSizeGreaterThan(1);
    }

    @Test
    void aLogarithmicAxisHasPowersOfTen() {
        assertThat(LOGARITHMIC.ticks(1_000, 10_000_000)).containsExactly(1e3, 1e4, 1e5, 1e6, 1e7);
    }

    @Test
    void twoDecadesHaveTwosAndFives() {
        assertThat(LOGARITHMIC.ticks(1, 64)).containsExactly(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0);
        assertThat(LOGARITHMIC.ticks(3, 16)).containsExactly(2.0, 5.0, 10.0, 20.0);
        assertThat(LOGARITHMIC.ticks(10, 10)).containsExactly(10.0, 20.0);
    }

    @Test
    void aValueHasItsPlaceBetweenTheFirstTickAndTheLast() {
        assertThat(LINEAR.place(2, LINEAR.ticks(0, 8))).isEqualTo(0.25);
        assertThat(LOGARITHMIC.place(100, LOGARITHMIC.ticks(1, 10_000))).isEqualTo(0.5);
    }

    @Test
    void numbersAreShort() {
        assertThat(Axis.text(0)).isEqualTo("0");
        assertThat(Axis.text(0.05)).isEqualTo("0.05");
        assertThat(Axis.text(0.85714)).isEqualTo("0.857");
        assertThat(Axis.text(1.001)).isEqualTo("1");
        assertThat(Axis.text(1.5004)).isEqualTo("1.5");
        assertThat(Axis.text(28_991)).isEqualTo("29 k");
        assertThat(Axis.text(2_500)).isEqualTo("2,500");
        assertThat(Axis.text(40_000)).isEqualTo("40 k");
        assertThat(Axis.text(10_000_000)).isEqualTo("10 M");
        assertThat(Axis.text(123.4)).isEqualTo("123");
    }
}
