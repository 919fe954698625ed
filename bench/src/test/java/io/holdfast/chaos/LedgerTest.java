package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.Ledger.Word;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is outside must not hide what it is there to show. */
class LedgerTest {

    @TempDir
    Path directory;

    @Test
    void whoIsNotRecognisedDoesItTwice() throws IOException {
        try (Ledger ledger = ledger()) {
            assertThat(ledger.send("k", "a", false)).isTrue();
            assertThat(ledger.send("k", "b", false)).isTrue();
        }
        assertThat(Ledger.lines(file())).extracting(Ledger.Line::word).containsExactly(Word.DONE, Word.DONE);
    }

    @Test
    void whoIsRecognisedDoesItOnceWhoeverComesAgain() throws IOException {
        try (Ledger one = ledger();
                Ledger other = ledger()) {
            assertThat(one.send("k", "a", true)).isTrue();
            assertThat(other.send("k", "b", true)).isTrue();
        }
        assertThat(Ledger.lines(file())).extracting(Ledger.Line::word).containsExactly(Word.DONE, Word.AGAIN);
    }

    @Test
    void whatWasAskedForAndHadNotHappenedDoesNotHappenAfterwards() throws IOException {
        try (Ledger one = ledger();
                Ledger other = ledger()) {
            assertThat(one.ask("k", "a")).isFalse();
            assertThat(other.send("k", "b", false)).isFalse();
            assertThat(other.send("l", "b", false)).isTrue();
            assertThat(one.ask("l", "a")).isTrue();
        }
        assertThat(Ledger.lines(file()))
                .extracting(Ledger.Line::word)
                .containsExactly(Word.BARRED, Word.LATE, Word.DONE);
    }

    private Path file() {
        return directory.resolve("ledger");
    }

    private Ledger ledger() {
        return new Ledger(file());
    }
}
