package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When others had what a worker held that was struck, counted from when they asked. */
class HandoverTest {

    private static final String KEY = "slot-0.0";
    private static final String A = "worker-1.1.t1";
    private static final String B = "worker-2.1.t1";
    private static final long MILLI = 1_000_000;

    private final List<Entry> history = new ArrayList<>();
    private long calls;

    @Test
    void itCountsFromTheFirstWhoAskedAfterTheFault() {
        told(A, "acquire", 10, 20, "granted");
        told(B, "acquire", 90, 95, "busy");
        told(B, "acquire", 200, 210, "busy");
        told(B, "acquire", 1_030, 1_040, "granted");
        assertThat(Handover.longest(history, "worker-1", 100 * MILLI)).hasValue(840 * MILLI);
    }

    @Test
    void whatHadEndedBeforeTheFaultWasNotHeld() {
        told(A, "acquire", 10, 20, "granted");
        told(B, "acquire", 1_500, 1_510, "granted");
        assertThat(Handover.longest(history, "worker-1", 1_200 * MILLI)).isEmpty();
    }

    @Test
    void whatIsGivenBackAfterTheFaultIsNotHandedOver() {
        told(A, "acquire", 10, 20, "granted");
        told(A, "release", 300, 310, "released");
        told(B, "acquire", 400, 410, "granted");
        assertThat(Handover.longest(history, "worker-1", 100 * MILLI)).isEmpty();
    }

    @Test
    void whatIsRenewedAfterTheFaultIsNotHandedOver() {
        told(A, "acquire", 10, 20, "granted");
        told(A, "renew", 300, 310, "renewed");
        told(B, "acquire", 1_400, 1_410, "granted");
        assertThat(Handover.longest(history, "worker-1", 100 * MILLI)).isEmpty();
    }

    private void told(String who, String operation, long from, long to, String answer) {
        calls++;
        history.add(new Entry(from * MILLI, who, calls, Entry.CALL, operation, KEY, 0, Entry.NONE, 0));
        history.add(new Entry(to * MILLI, who, calls, answer, operation, KEY, 1, Entry.NONE, 1_000));
    }
}
