package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.Fault.Kind;
import org.junit.jupiter.api.Test;

class FaultTest {

    @Test
    void theSameSeedIsTheSamePlan() {
        assertThat(Fault.plan(7, 5_000, 60_000, 3)).isEqualTo(Fault.plan(7, 5_000, 60_000, 3));
        assertThat(Fault.plan(7, 5_000, 60_000, 3)).isNotEqualTo(Fault.plan(8, 5_000, 60_000, 3));
    }

    @Test
    void threeQuartersOfAMinuteHaveEveryKind() {
        assertThat(Fault.plan(7, 5_000, 39_000, 3)).extracting(Fault::kind).contains(Kind.values());
    }

    @Test
    void aLineOfAHistoryIsReadAsItWasWritten() {
        Entry entry = new Entry(1, "worker-1.2.t1", 3, "granted", "acquire", "slot-0.4", 5, Entry.NONE, 1_000);
        assertThat(Entry.parse(entry.line().stripTrailing())).contains(entry);
        assertThat(entry.worker()).isEqualTo("worker-1");
    }

    @Test
    void aLineThatItsWriterDidNotLiveToEndIsPassedOver() {
        assertThat(Entry.parse("12345\tworker-1.2.t1\t3\tgran")).isEmpty();
    }
}
