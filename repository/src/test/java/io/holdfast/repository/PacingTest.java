package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.RetentionPace;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PacingTest {

    private static final RetentionPace PACE =
            new RetentionPace(200, Duration.ofMillis(10), 4, Duration.ofMillis(8), Duration.ofHours(1));

    private final Pacing pacing = new Pacing(PACE);

    private Duration took(int millis) {
        return pacing.after(Duration.ofMillis(millis), true);
    }

    @Test
    void aBatchThatTookLongHalvesTheNextDownToAQuarter() {
        assertThat(pacing.rows()).isEqualTo(200);
        took(11);
        assertThat(pacing.rows()).isEqualTo(100);
        took(900);
        assertThat(pacing.rows()).isEqualTo(50);
        took(900);
        assertThat(pacing.rows())
                .as("or the time goes into commits, and no end is seen")
                .isEqualTo(50);
    }

    @Test
    void whatIsSwiftGrowsAgainUpToTheBatch() {
        took(11);
        took(11);
        took(10);
        took(5);
        assertThat(pacing.rows()).as("neither slow nor swift").isEqualTo(50);
        took(4);
        assertThat(pacing.rows()).isEqualTo(100);
        took(4);
        took(4);
        assertThat(pacing.rows()).isEqualTo(200);
    }

    @Test
    void theRestIsSoManyTimesAsLongAsTheBatch() {
        assertThat(took(3)).isEqualTo(Duration.ofMillis(12));
        assertThat(took(300)).isEqualTo(Duration.ofMillis(1_200));
    }

    @Test
    void aRestIsNoShorterThanThePauseWhereSomethingWasRemoved() {
        assertThat(took(1)).isEqualTo(Duration.ofMillis(8));
        assertThat(pacing.after(Duration.ofMillis(1), false))
                .as("what only looked rests as well, for its own time")
                .isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void withoutRestAndPauseNothingIsWaitedFor() {
        Pacing full = new Pacing(PACE.withRest(0).withPause(Duration.ZERO));
        assertThat(full.after(Duration.ofSeconds(1), true)).isZero();
    }

    @Test
    void whatCannotGoAsAWholeIsHalvedDownToOneAndGrowsAgain() {
        for (int i = 0; i < 7; i++) {
            pacing.halve();
        }
        assertThat(pacing.rows()).isEqualTo(1);
        pacing.halve();
        assertThat(pacing.rows()).as("nothing smaller is left").isEqualTo(1);
        took(900);
        assertThat(pacing.rows()).as("slow or not").isEqualTo(1);
        took(1);
        assertThat(pacing.rows()).isEqualTo(2);
    }

    @Test
    void aBatchOfOneStaysOne() {
        Pacing one = new Pacing(PACE.withBatch(1));
        one.after(Duration.ofSeconds(1), true);
        assertThat(one.rows()).isEqualTo(1);
    }
}
