package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker is at work again when each of its threads is. */
class RecoveryTest {

    private static final Fault FREEZE = new Fault(Fault.Kind.FREEZE_WORKER, 0, 500, 0, 0);
    private static final List<String> WORKERS = List.of("worker-1", "worker-2");

    private final List<Entry> history = new ArrayList<>();

    @Test
    void aThreadThatDoesNotWriteAgainIsNotHiddenByAnother() {
        done("worker-1.1.t1", 100);
        assertThat(recovery().nanos()).isEmpty();
    }

    @Test
    void itIsTheLastThreadThatCountsInWhicheverLife() {
        done("worker-1.1.t1", 100);
        done("worker-1.2.t2", 300);
        assertThat(recovery().nanos()).hasValue(250);
    }

    private Recovery recovery() {
        return Recovery.of(FREEZE, 50, Recovery.writes(history, WORKERS), WORKERS);
    }

    private void done(String who, long at) {
        history.add(new Entry(at, who, 1, "done", "step", "slot-0.0", 1, "w", 1));
    }
}
