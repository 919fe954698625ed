package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.Fault.Kind;
import java.util.Arrays;
import java.util.List;
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
    void twentySecondsHaveABlackHoleThatOutlastsTheDriversPatience() {
        assertThat(Fault.plan(7, 500, 15_000, 3))
                .filteredOn(fault -> fault.kind() == Kind.BLACK_HOLE)
                .anyMatch(fault -> fault.lasting() > 5_000);
    }

    @Test
    void anHourHasTransactionsThatAreOpenForLongAndNoneOutlastsThePlan() {
        List<Fault> plan = Fault.plan(7, 500, 3_595_000, 3);
        assertThat(plan)
                .filteredOn(fault -> fault.kind() == Kind.OPEN_TRANSACTION && fault.lasting() == 20_000)
                .hasSizeGreaterThan(50)
                .allMatch(fault -> fault.at() + fault.lasting() <= 3_595_000);
    }

    @Test
    void aDelayIsSaidWithItsDurationAndByHowMuch() {
        assertThat(new Fault(Kind.DELAY, 2_400, 1_100, 0, 650))
                .hasToString(
                        "    2.4 s  delay            worker-1  each round trip of the worker takes 150 ms more for 1.1 s");
    }

    @Test
    void onlyAServerThatIsAwayExcusesAFaultThatDoesNotStrike() {
        assertThat(List.of("08006", "08001", "57P01", "57P02", "57P03")).allMatch(ServerFaults::isAway);
        assertThat(Arrays.asList("42703", "42P01", "40001", "55P03", null)).noneMatch(ServerFaults::isAway);
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
