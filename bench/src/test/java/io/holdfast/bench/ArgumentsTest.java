package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentsTest {

    private static Arguments parse(String... args) {
        return Arguments.parse(Set.of("--tsv"), Set.of("--rounds", "--seconds", "--only", Arguments.CHARTS), args);
    }

    @Test
    void whatIsGivenIsReadAndWhatIsNotIsAsSaid() {
        Arguments given = parse("--rounds", "7", "--tsv", "--only", "step,,renew");
        assertThat(given.has("--tsv")).isTrue();
        assertThat(given.number("--rounds", 5)).isEqualTo(7);
        assertThat(given.decimal("--seconds", 0.5)).isEqualTo(0.5);
        assertThat(given.list("--only", "")).containsExactly("step", "renew");
    }

    @Test
    void whatIsNoOptionIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("--round", "7"))
                .withMessage("--round");
    }

    @Test
    void anOptionThatLacksItsValueIsNamed() {
        assertThatIllegalArgumentException().isThrownBy(() -> parse("--rounds")).withMessage("--rounds");
    }

    @Test
    void anOptionThatIsGivenTwiceIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("--rounds", "1", "--rounds", "2"))
                .withMessage("twice --rounds");
    }

    @Test
    void aNumberThatIsNoneIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("--rounds", "many").number("--rounds", 5))
                .withMessage("--rounds many");
    }

    @Test
    void chartsAreWrittenWhereTheCommandLineSays(@TempDir Path directory) {
        Path charts = directory.resolve("made/on/the/way");
        parse(Arguments.CHARTS, charts.toString()).chart("one", "<svg/>");
        parse().chart("none", "<svg/>");
        assertThat(charts.resolve("one.svg")).hasContent("<svg/>");
        assertThat(Files.exists(charts.resolve("none.svg"))).isFalse();
    }

    @Test
    void theMainProgramKnowsItsOptions() {
        Options quick = Options.parse("--quick", "--ops", "create,step");
        assertThat(quick.rounds()).isEqualTo(1);
        assertThat(quick.threads()).containsExactly(8);
        assertThat(quick.operations()).containsExactlyInAnyOrder("create", "step");
        assertThat(Options.parse("--threads", "1,4").threads()).containsExactly(1, 4);
        assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--fast"));
    }
}
