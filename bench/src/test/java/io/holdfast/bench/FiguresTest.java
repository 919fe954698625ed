package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void theMedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
        assertThat(Figures.median(new double[] {1, 2, 9})).isEqualTo(2);
        assertThat(Figures.median(new double[] {1, 2, 4, 9})).isEqualTo(3);
    }

    @Test
    void aQuantileIsOneOfTheTimesAndTheLastIsTheLongest() {
        long[] nanos = {1_000_000, 2_000_000, 3_000_000, 4_000_000};
        assertThat(Figures.milliseconds(nanos, 0.5)).isEqualTo(3);
        assertThat(Figures.milliseconds(nanos, 1)).isEqualTo(4);
        assertThat(Figures.milliseconds(new long[0], 0.99)).isNaN();
    }

    @Test
    void whoGetsHalfOfWhatIsFairHasHalfAShare() {
        assertThat(Figures.shares(new double[] {300, 50, 50})).containsExactly(0.375, 0.375, 2.25);
        assertThat(Figures.shares(new double[] {7, 7})).containsExactly(1, 1);
    }

    @Test
    void whereNobodyGetsAnythingThereAreNoShares() {
        assertThat(Figures.shares(new double[] {0, 0})).containsExactly(0, 0);
    }

    @Test
    void aSpreadSaysTheLeastAndTheMost() {
        assertThat(Figures.spread(new double[] {0.5, 1, 1.25})).isEqualTo("1.00 (0.50-1.25)");
    }
}
