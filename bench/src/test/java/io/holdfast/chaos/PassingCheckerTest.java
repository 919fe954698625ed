package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Fingerprint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker is shown what lived shortly, with each kind of violation and with none. */
class PassingCheckerTest {

    private static final String WORKFLOW = "passing-0";
    private static final String KEY = "passing-request-0";
    private static final String A = "worker-1.1.t1";
    private static final String B = "worker-2.1.t1";
    private static final long MILLI = 1_000_000;

    private final List<Entry> history = new ArrayList<>();
    private final Map<String, Log> logs = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>(Map.of(WORKFLOW, 9L));
    private long calls;

    @Test
    void whatWasClosedMayBeGone() {
        told(A, "step-passing", WORKFLOW, 1, "w1", 20, "done", 2);
        told(A, "close-passing", WORKFLOW, 1, "w2", 40, "done", 3);
        assertThat(violations()).isEmpty();
    }

    @Test
    void whatWasNotClosedMayNotBeGone() {
        told(A, "close-passing", WORKFLOW, 1, "w1", 20, "done", 2);
        told(A, "step-passing", WORKFLOW, 2, "w2", 40, "done", 2);
        assertViolation("lost");
    }

    @Test
    void whatMayHaveBeenClosedMayBeGone() {
        told(A, "step-passing", WORKFLOW, 1, "w1", 20, "done", 2);
        told(A, "close-passing", WORKFLOW, 1, "w2", 40, "unknown", 0);
        assertThat(violations()).isEmpty();
    }

    @Test
    void whatWasRefusedWasNotClosed() {
        told(A, "step-passing", WORKFLOW, 1, "w1", 20, "done", 2);
        told(A, "close-passing", WORKFLOW, 1, "w2", 40, "refused", 0);
        assertViolation("lost");
    }

    @Test
    void aTokenThatBeginsAnewWhenItsRowWasRemovedIsFound() {
        told(A, "acquire", WORKFLOW, 0, Entry.NONE, 10, "granted", 1_000, 5);
        told(B, "acquire", WORKFLOW, 0, Entry.NONE, 3_000, "granted", 1_000, 1);
        assertViolation("token");
    }

    @Test
    void aFloorBelowATokenThatWasGrantedIsFound() {
        told(A, "acquire", WORKFLOW, 0, Entry.NONE, 10, "granted", 1_000, 5);
        tokens.put(WORKFLOW, 4L);
        assertViolation("token");
    }

    @Test
    void aWriteUnderATokenOfARowThatWasRemovedIsStale() {
        told(A, "acquire", WORKFLOW, 0, Entry.NONE, 10, "granted", 1_000, 1);
        told(B, "acquire", WORKFLOW, 0, Entry.NONE, 3_000, "granted", 1_000, 2);
        told(A, "step-passing", WORKFLOW, 1, "w1", 3_100, "unknown", 0);
        logs.put(WORKFLOW, Log.of(2, List.of("w1"), 2));
        assertViolation("stale");
    }

    @Test
    void aLapsedKeyIsReservedAnew() {
        told(A, "reserve", KEY, 0, Entry.NONE, 10, "anew", 1_500);
        told(A, "complete-passing", KEY, 0, "w1", 500, "done", 0);
        told(B, "reserve", KEY, 0, Entry.NONE, 600, completed("w1"), 0);
        told(B, "reserve", KEY, 0, Entry.NONE, 2_010, "anew", 1_500);
        assertThat(violations()).isEmpty();
    }

    @Test
    void aKeyThatIsReservedAnewBeforeItsTimeIsFound() {
        told(A, "reserve", KEY, 0, Entry.NONE, 10, "anew", 1_500);
        told(B, "reserve", KEY, 0, Entry.NONE, 1_400, "anew", 1_500);
        assertViolation("forgotten");
    }

    @Test
    void anOutcomeThatIsGoneBeforeItsTimeIsFound() {
        told(A, "reserve", KEY, 0, Entry.NONE, 10, "anew", 1_500);
        told(A, "complete-passing", KEY, 0, "w1", 1_000, "done", 0);
        told(B, "reserve", KEY, 0, Entry.NONE, 2_400, "anew", 1_500);
        assertViolation("forgotten");
    }

    @Test
    void anOutcomeThatWasRefusedIsFound() {
        told(A, "complete-passing", KEY, 0, "w1", 10, "refused", 0);
        told(B, "reserve", KEY, 0, Entry.NONE, 30, completed("w1"), 0);
        assertViolation("unasked");
    }

    private static String completed(String write) {
        return "completed:" + Fingerprint.ofText(write);
    }

    private void told(
            String who, String operation, String key, long token, String write, long at, String answer, long number) {
        told(who, operation, key, token, write, at, answer, number, token);
    }

    private void told(
            String who,
            String operation,
            String key,
            long token,
            String write,
            long at,
            String answer,
            long number,
            long granted) {
        calls++;
        history.add(new Entry(at * MILLI, who, calls, Entry.CALL, operation, key, token, write, 0));
        history.add(new Entry((at + 5) * MILLI, who, calls, answer, operation, key, granted, write, number));
    }

    private void assertViolation(String rule) {
        assertThat(violations()).hasSize(1).first().asString().startsWith(rule + ": ");
    }

    private List<String> violations() {
        return Checker.violations(history, new Stored(logs, List.of(), Map.of(), tokens, 0, StoredRuns.NONE));
    }
}
