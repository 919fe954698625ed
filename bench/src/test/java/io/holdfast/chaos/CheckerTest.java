package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Fingerprint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker is shown histories with each kind of violation, and some with none. */
class CheckerTest {

    private static final String WORKFLOW = "slot-0.0";
    private static final String A = "worker-1.1.t1";
    private static final String B = "worker-2.1.t1";
    private static final long MILLI = 1_000_000;

    private final List<Entry> history = new ArrayList<>();
    private final Map<String, Log> logs = new HashMap<>();
    private final List<Stored.Effect> effects = new ArrayList<>();
    private final Map<String, String> outcomes = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>(Map.of(WORKFLOW, 9L));
    private int leftOpen;
    private long calls;

    @Test
    void aHistoryThatIsAsStoredHasNoViolation() {
        granted(A, 1, 0, 10);
        update(A, "w1", 1, 20, "done", 2);
        told(call(A, "release", 1, Entry.NONE, 100), "released", 1, 110, 0);
        granted(B, 2, 200, 210);
        step(B, "w2", 2, 220, "done", 3);
        step(B, "w3", 2, 300, "unknown", 0);
        update(B, "w4", 2, 400, "refused", 0);
        stored("w1", "w2");
        effect("w1", 1);
        assertNoViolation();
    }

    @Test
    void aWriteWhoseOutcomeIsUnknownMayBeThereOrNot() {
        update(A, "w1", 1, 20, "unknown", 0);
        assertNoViolation();
        stored("w1");
        effect("w1", 1);
        assertNoViolation();
    }

    @Test
    void aWorkerThatWasKilledInACallMayHaveWritten() {
        call(A, "step", 1, "w1", 20);
        stored("w1");
        assertNoViolation();
    }

    @Test
    void aWriteThatWasRefusedAfterItsAnswerWasLostMayBeThere() {
        step(A, "w1", 1, 20, "unknown", 0);
        step(A, "w1", 1, 40, "refused", 0);
        stored("w1");
        assertNoViolation();
    }

    @Test
    void aLeaseThatRanOutIsGrantedToAnother() {
        granted(A, 1, 0, 10);
        granted(B, 2, 1_000, 1_010);
        assertNoViolation();
    }

    @Test
    void anAcknowledgedWriteThatIsNotThereIsLost() {
        update(A, "w1", 1, 20, "done", 2);
        assertViolation("lost");
    }

    @Test
    void anAcknowledgedWriteAtAnotherRevisionHasMoved() {
        step(A, "w1", 1, 20, "done", 2);
        step(A, "w2", 1, 40, "unknown", 0);
        stored("w2", "w1");
        outcome(WORKFLOW + ":1", "w1");
        assertThat(violations())
                .anyMatch(line -> line.startsWith("moved: "))
                .allMatch(line -> line.startsWith("moved: ") || line.startsWith("apart: "));
    }

    @Test
    void aRefusedWriteThatIsThereIsFound() {
        step(A, "w1", 1, 20, "refused", 0);
        stored("w1");
        assertViolation("refused");
    }

    @Test
    void aRevisionWithoutItsWriteIsAGap() {
        step(A, "w1", 1, 20, "done", 2);
        stored("w1");
        logs.put(WORKFLOW, Log.of(2, List.of("w1"), 3));
        assertViolation("gap");
    }

    @Test
    void aNumberThatIsLeftOutIsAGap() {
        step(A, "w1", 1, 20, "unknown", 0);
        step(A, "w2", 1, 40, "unknown", 0);
        outcome(WORKFLOW + ":1", "w1");
        outcome(WORKFLOW + ":3", "w2");
        logs.put(WORKFLOW, new Log(2, List.of(new Log.Line("w1", 2, 2), new Log.Line("w2", 4, 4)), 4));
        assertViolation("gap");
    }

    @Test
    void aWriteThatIsThereTwiceIsFound() {
        update(A, "w1", 1, 20, "unknown", 0);
        stored("w1", "w1");
        effect("w1", 1);
        assertViolation("twice");
    }

    @Test
    void aWriteThatNobodySentIsFound() {
        stored("w1");
        assertViolation("unasked");
    }

    @Test
    void aWriteBehindOneOfALaterTokenIsFound() {
        step(A, "w1", 1, 20, "unknown", 0);
        step(B, "w2", 2, 20, "unknown", 0);
        stored("w2", "w1");
        assertViolation("order");
    }

    @Test
    void anEffectThatIsMissingIsFound() {
        update(A, "w1", 1, 20, "done", 2);
        stored("w1");
        assertViolation("effect");
    }

    @Test
    void anEffectThatIsThereTwiceIsFound() {
        update(A, "w1", 1, 20, "done", 2);
        stored("w1");
        effect("w1", 1);
        effect("w1", 1);
        assertViolation("effect");
    }

    @Test
    void anEffectThatIsThereWithoutItsWriteIsFound() {
        update(A, "w1", 1, 20, "unknown", 0);
        effect("w1", 1);
        assertViolation("effect");
    }

    @Test
    void anEffectThatNobodyAskedForIsFound() {
        effect("w1", 1);
        assertViolation("unasked");
    }

    @Test
    void aTokenThatIsGrantedTwiceIsFound() {
        granted(A, 1, 0, 20);
        granted(A, 1, 10, 30);
        assertViolation("token");
    }

    @Test
    void aTokenBelowOneThatWasGrantedBeforeIsFound() {
        granted(A, 2, 0, 10);
        granted(B, 1, 5_000, 5_010);
        assertViolation("token");
    }

    @Test
    void aLeaseWhoseRowHasForgottenAGrantIsFound() {
        granted(A, 10, 0, 10);
        assertViolation("token");
    }

    @Test
    void aGrantWhileAnotherIsSureToHaveItOverlaps() {
        granted(A, 1, 0, 10);
        granted(B, 2, 500, 510);
        assertViolation("overlap");
    }

    @Test
    void aGrantBehindARenewalOverlaps() {
        granted(A, 1, 0, 10);
        told(call(A, "renew", 1, Entry.NONE, 800), "renewed", 1, 810, 1_000);
        granted(B, 2, 1_300, 1_310);
        assertViolation("overlap");
    }

    @Test
    void aWriteThatWasSentAfterSomebodyHeardOfALaterTokenIsStale() {
        granted(A, 1, 0, 10);
        granted(B, 2, 1_100, 1_110);
        step(A, "w1", 1, 1_200, "unknown", 0);
        stored("w1");
        assertViolation("stale");
    }

    @Test
    void aTransactionCountsFromWhenItWasCommitted() {
        granted(A, 1, 0, 10);
        Entry update = call(A, "update", 1, "w1", 20);
        granted(B, 2, 1_100, 1_110);
        call(A, "commit", 1, "w1", 1_200);
        told(update, "done", 1, 1_210, 2);
        stored("w1");
        effect("w1", 1);
        assertViolation("stale");
    }

    @Test
    void aStepWhoseKeyHasAnotherOutcomeIsFound() {
        step(A, "w1", 1, 20, "done", 2);
        stored("w1");
        step(B, "w2", 1, 20, "unknown", 0);
        outcome(WORKFLOW + ":1", "w2");
        assertThat(violations())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("lost: "))
                .anyMatch(line -> line.startsWith("apart: "));
    }

    @Test
    void aStepThatIsThereThoughItsKeyIsNotCompletedIsFound() {
        step(A, "w1", 1, 20, "unknown", 0);
        stored("w1");
        outcomes.clear();
        assertViolation("apart");
    }

    @Test
    void aKeyThatIsCompletedThoughItsStepIsNotThereIsFound() {
        step(A, "w1", 1, 20, "unknown", 0);
        outcome(WORKFLOW + ":1", "w1");
        assertViolation("apart");
    }

    @Test
    void aRefusedStepWhoseKeyIsCompletedIsFound() {
        step(A, "w1", 1, 20, "refused", 0);
        outcome(WORKFLOW + ":1", "w1");
        assertViolation("apart");
    }

    @Test
    void aStepUnderTheKeyOfAnotherIsFound() {
        step(A, "w1", 1, 20, "unknown", 0);
        stored("w1");
        outcomes.clear();
        outcome(WORKFLOW + ":2", "w1");
        assertThat(violations()).hasSize(2).allMatch(line -> line.startsWith("apart: "));
    }

    @Test
    void anOutcomeThatNobodySentIsFound() {
        outcome("request-1", "w1");
        assertViolation("unasked");
    }

    @Test
    void anOutcomeOfAnotherKeyIsFound() {
        complete(A, "w1", 20, "unknown");
        outcome("request-2", "w1");
        assertViolation("unasked");
    }

    @Test
    void aKeyThatTwoHaveCompletedIsFound() {
        complete(A, "w1", 20, "done");
        complete(B, "w2", 40, "done");
        outcome("request-1", "w2");
        assertViolation("twice");
    }

    @Test
    void aRefusedOutcomeThatIsThereIsFound() {
        complete(A, "w1", 20, "refused");
        outcome("request-1", "w1");
        assertViolation("refused");
    }

    @Test
    void anOutcomeThatChangesIsFound() {
        Entry call = entry(A, "reserve", "request-1", 0, Entry.NONE, 20);
        told(call, "completed:" + Fingerprint.ofText("w1"), 0, 30, 0);
        complete(A, "w2", 40, "unknown");
        outcome("request-1", "w2");
        assertViolation("changed");
    }

    @Test
    void aLeaseThatIsStillAnothersWhenTheLastMustHaveLostItIsFound() {
        granted(A, 1, 0, 10);
        told(call(B, "acquire", 0, Entry.NONE, 5_900), "busy", 0, 5_910, 0);
        assertNoViolation();
        told(call(B, "acquire", 0, Entry.NONE, 6_100), "busy", 0, 6_110, 0);
        assertViolation("held");
    }

    @Test
    void aGrantWhileAKeeperSaysThatItIsHeldOverlaps() {
        granted(A, 1, 0, 10);
        told(call(A, "look", 1, Entry.NONE, 4_000), "renewed", 1, 4_001, 0);
        granted(B, 2, 3_000, 3_010);
        assertViolation("overlap");
    }

    @Test
    void aGrantBehindWhatAKeeperSaidLastDoesNot() {
        granted(A, 1, 0, 10);
        told(call(A, "look", 1, Entry.NONE, 4_000), "renewed", 1, 4_001, 0);
        granted(B, 2, 4_500, 4_510);
        assertNoViolation();
    }

    @Test
    void aLeaseThatSomebodyRenewedIsHisForLonger() {
        granted(A, 1, 0, 10);
        told(call(A, "renew", 1, Entry.NONE, 800), "renewed", 1, 810, 1_000);
        told(call(B, "acquire", 0, Entry.NONE, 6_100), "busy", 0, 6_110, 0);
        assertNoViolation();
    }

    @Test
    void whoseGrantIsUnknownMayHaveTheLease() {
        granted(A, 1, 0, 10);
        call(A, "acquire", 0, Entry.NONE, 900);
        told(call(B, "acquire", 0, Entry.NONE, 12_000), "busy", 0, 12_010, 0);
        assertNoViolation();
        told(call(B, "acquire", 0, Entry.NONE, 30_000), "busy", 0, 30_010, 0);
        assertViolation("held");
    }

    @Test
    void aReadShowsWhatWasAcknowledgedBeforeIt() {
        step(A, "w1", 1, 20, "done", 2);
        stored("w1");
        found(B, 25, 26, Entry.NONE, 1);
        found(B, 40, 41, "w1", 2);
        assertNoViolation();
    }

    @Test
    void aReadOfWhatWasThereBeforeAnAcknowledgedWriteIsFound() {
        step(A, "w1", 1, 20, "done", 2);
        stored("w1");
        found(B, 40, 41, Entry.NONE, 1);
        assertViolation("read");
    }

    @Test
    void aReadOfNothingBehindAnAcknowledgedWriteIsFound() {
        step(A, "w1", 1, 20, "done", 2);
        stored("w1");
        found(B, 40, 41, Entry.NONE, 0);
        assertViolation("read");
    }

    @Test
    void aReadBehindOneThatShowedMoreIsFound() {
        step(A, "w1", 1, 20, "unknown", 0);
        stored("w1");
        found(A, 40, 41, "w1", 2);
        found(B, 50, 51, Entry.NONE, 1);
        assertViolation("read");
    }

    @Test
    void aReadOfAWriteThatIsNotThereIsFound() {
        step(A, "w1", 1, 20, "unknown", 0);
        found(B, 40, 41, "w1", 2);
        assertViolation("read");
    }

    @Test
    void aReadOfAWriteThatHasAnotherNumberIsFound() {
        step(A, "w1", 1, 20, "unknown", 0);
        step(A, "w2", 1, 40, "unknown", 0);
        stored("w1", "w2");
        found(B, 60, 61, "w1", 3);
        assertViolation("read");
    }

    @Test
    void anExceptionThatNoFaultIsAReasonForIsFound() {
        step(A, "w1", 1, 20, "unexpected:java.lang.NullPointerException", 0);
        assertViolation("unexpected");
    }

    @Test
    void aWriteThatEndedUnexpectedlyMayBeThere() {
        step(A, "w1", 1, 20, "unexpected:java.lang.NullPointerException", 0);
        stored("w1");
        assertViolation("unexpected");
    }

    @Test
    void anOperationOfWhichNobodyKnowsWhatBecameOfItIsFound() {
        for (int i = 0; i < 20; i++) {
            told(call(A, "release", 1, Entry.NONE, 20 + i), "unknown:OUTCOME_UNKNOWN", 1, 21 + i, 0);
        }
        assertViolation("unknown");
    }

    @Test
    void aThirdOfTheAnswersMayBeUnknown() {
        for (int i = 0; i < 30; i++) {
            told(call(A, "release", 1, Entry.NONE, 20 + i), i % 3 == 0 ? "unknown" : "released", 1, 21 + i, 0);
        }
        assertNoViolation();
    }

    @Test
    void aTransactionThatIsLeftOpenIsStuck() {
        leftOpen = 1;
        assertViolation("stuck");
    }

    private void assertNoViolation() {
        assertThat(violations()).isEmpty();
    }

    private void assertViolation(String rule) {
        assertThat(violations()).hasSize(1).first().asString().startsWith(rule + ": ");
    }

    private List<String> violations() {
        return Checker.violations(history, new Stored(logs, effects, outcomes, tokens, leftOpen, StoredRuns.NONE));
    }

    private void granted(String who, long token, long from, long to) {
        told(call(who, "acquire", 0, Entry.NONE, from), "granted", token, to, 1_000);
    }

    /** In a transaction of the application's. */
    private void update(String who, String write, long token, long at, String answer, long revision) {
        told(call(who, "update", token, write, at), answer, token, at + 10, revision);
    }

    private void step(String who, String write, long token, long at, String answer, long revision) {
        told(call(who, "step", token, write, at), answer, token, at + 10, revision);
    }

    private void complete(String who, String write, long at, String answer) {
        told(entry(who, "complete", "request-1", 0, write, at), answer, 0, at + 10, 0);
    }

    private Entry call(String who, String operation, long token, String write, long at) {
        return entry(who, operation, WORKFLOW, token, write, at);
    }

    private Entry entry(String who, String operation, String key, long token, String write, long at) {
        Entry entry = new Entry(at * MILLI, who, ++calls, Entry.CALL, operation, key, token, write, 0);
        history.add(entry);
        return entry;
    }

    private void told(Entry call, String answer, long token, long at, long number) {
        history.add(new Entry(
                at * MILLI,
                call.who(),
                call.call(),
                answer,
                call.operation(),
                call.key(),
                token,
                call.write(),
                number));
    }

    /** With the outcomes of those that are steps. */
    private void stored(String... ids) {
        logs.put(WORKFLOW, Log.of(2, List.of(ids), ids.length + 1));
        for (int i = 0; i < ids.length; i++) {
            String id = ids[i];
            if (history.stream()
                    .anyMatch(entry ->
                            entry.write().equals(id) && entry.operation().equals("step"))) {
                outcome(WORKFLOW + ":" + (i + 1), id);
            }
        }
    }

    private void found(String who, long from, long to, String write, long number) {
        Entry call = call(who, "find-workflow", 0, Entry.NONE, from);
        history.add(new Entry(to * MILLI, who, call.call(), "found", call.operation(), call.key(), 0, write, number));
    }

    private void effect(String write, long token) {
        effects.add(new Stored.Effect(write, WORKFLOW, token));
    }

    private void outcome(String key, String write) {
        outcomes.put(key, Fingerprint.ofText(write));
    }
}
