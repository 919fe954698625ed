package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProseTest {

    @Test
    void whatCannotBeStoredOrGarblesALogIsReplacedAndNothingElse() {
        assertThat(Prose.cut("a\u0000b\nc\td\u007Fe\u0085f\uD800g\uDC00h\uD83D\uDE00\u2028\u00E9", 100))
                .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFDg\uFFFDh\uD83D\uDE00\u2028\u00E9");
    }

    @Test
    void theLimitCountsCodePointsAndNeverHalvesOne() {
        assertThat(Prose.cut("\uD83D\uDE00".repeat(3), 3)).isEqualTo("\uD83D\uDE00".repeat(3));
        assertThat(Prose.cut("\uD83D\uDE00".repeat(3), 2)).isEqualTo("\uD83D\uDE00".repeat(2));
        assertThat(Prose.cut("abc", 0)).isEmpty();
    }
}
