package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A run in which nothing is done has no violation, and must not pass. */
class TallyTest {

    private static final long SECOND = 1_000_000_000;

    private final List<Entry> history = new ArrayList<>();

    @Test
    void aRunInWhichNothingWasDoneSaysNothing() {
        assertThat(shortfalls(20, false)).contains("save came to nothing from 0 s to 20 s");
    }

    @Test
    void whatIsRefusedOrUnknownOrNeverAnsweredCameToNothing() {
        everySecond(40, "save", Entry.CALL);
        everySecond(40, "save", "refused:STORE_TIMEOUT");
        everySecond(40, "save", "unknown:OUTCOME_UNKNOWN");
        assertThat(shortfalls(40, false)).contains("save came to nothing from 20 s to 40 s");
    }

    @Test
    void whatComesToSomethingInEachQuarterIsEnough() {
        everySecond(240, "save", "done");
        assertThat(shortfalls(240, false)).noneMatch(line -> line.startsWith("save"));
    }

    @Test
    void whatStopsAfterHalfOfALongRunIsTooLittle() {
        everySecond(240, "dispatch", "done");
        assertThat(shortfalls(480, false))
                .contains(
                        "dispatch came to nothing from 240 s to 360 s", "dispatch came to nothing from 360 s to 480 s")
                .doesNotContain("dispatch came to nothing from 120 s to 240 s");
    }

    @Test
    void whatIsBusyOrHappensBeforeAllAreAtWorkOrAfterTheyAreToldToFinishDoesNotCount() {
        history.add(entry(-SECOND, "acquire", "granted"));
        history.add(entry(20 * SECOND, "acquire", "granted"));
        history.add(entry(SECOND, "acquire", "busy:worker-2.1.t1"));
        assertThat(shortfalls(20, false)).contains("acquire came to nothing from 0 s to 20 s");
    }

    @Test
    void withPlantedBugsNothingIsAskedForThatTheyDoNotTouch() {
        assertThat(shortfalls(25, false)).anyMatch(line -> line.startsWith("reserve"));
        assertThat(shortfalls(25, true)).noneMatch(line -> line.startsWith("reserve"));
    }

    @Test
    void aKindOfFaultThatNeverStruckAndTooFewThatDidAreTooLittle() {
        List<Fault> plan = Fault.plan(7, 500, 35_000, 3);
        assertThat(Director.shortfalls(plan, Set.copyOf(plan))).isEmpty();
        assertThat(Director.shortfalls(plan, Set.copyOf(plan.subList(0, 1)))).hasSize(Fault.Kind.values().length);
        Fault one = plan.get(0);
        assertThat(Director.shortfalls(List.of(one), Set.of()))
                .containsExactly("no " + one.kind().word() + " struck", "of 1 faults 0 struck");
    }

    private void everySecond(int seconds, String operation, String answer) {
        for (int i = 0; i < seconds; i++) {
            history.add(entry(i * SECOND, operation, answer));
        }
    }

    private static Entry entry(long at, String operation, String answer) {
        return new Entry(at, "worker-1.1.t1", 1, answer, operation, "k", 0, Entry.NONE, 0);
    }

    private List<String> shortfalls(int seconds, boolean planted) {
        return new Tally(history, 0, seconds * SECOND).shortfalls(planted);
    }
}
