package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.StoredRuns.Agent;
import io.holdfast.chaos.StoredRuns.Approval;
import io.holdfast.chaos.StoredRuns.Journal;
import io.holdfast.chaos.StoredRuns.Saves;
import io.holdfast.chaos.StoredRuns.Sent;
import io.holdfast.chaos.StoredRuns.State;
import io.holdfast.chaos.StoredRuns.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker is shown runs with each kind of violation, and some with none. */
class RunCheckerTest {

    private static final String LOG = "log-0.0";
    private static final String CHAT = "chat-0.0";
    private static final String FLOW = "workflow-0.0";
    private static final String AGENT = "agent-0.0";
    private static final String GATED = FLOW + "/at-work#1";
    private static final String A = "worker-1.1.t1";
    private static final String B = "worker-2.1.t1";
    private static final long MILLI = 1_000_000;

    private final List<Entry> history = new ArrayList<>();
    private final Map<String, Log> logs = new HashMap<>();
    private final Map<String, State> states = new HashMap<>();
    private final Map<String, Journal> journals = new HashMap<>();
    private final Map<String, Saves> saves = new HashMap<>();
    private final Map<String, Agent> agents = new HashMap<>();
    private final Map<String, Approval> approvals = new HashMap<>();
    private final List<Ledger.Line> ledger = new ArrayList<>();
    private long calls;

    @Test
    void aRunWhoseStateAndLogSayTheSameHasNoViolation() {
        told(A, "run-update", LOG, 0, "u1", 20, "done", 2);
        told(B, "append", LOG, 0, "e1", 30, "done", 3);
        told(B, "run-update", LOG, 0, "u2", 40, "refused", 0);
        told(A, "last-update", LOG, 0, "u3", 50, "done", 4);
        told(B, "append", LOG, 0, "e2", 60, "unknown", 0);
        logs.put(LOG, log(line("u1", 1, 2), line("e1", 3, 3), line("u3", 4, 4), line("e2", 5, 5)));
        states.put(LOG, new State("completed", 3, List.of("u1", "u3")));
        assertNoViolation();
    }

    @Test
    void aStateThatHasLostAnUpdateIsFound() {
        told(A, "run-update", LOG, 0, "u1", 20, "done", 1);
        told(B, "run-update", LOG, 0, "u2", 20, "done", 2);
        logs.put(LOG, log(line("u1", 1, 1), line("u2", 2, 2)));
        states.put(LOG, new State("running", 3, List.of("u2")));
        assertViolation("apart");
    }

    @Test
    void aRevisionThatNoUpdateHasMadeIsFound() {
        told(A, "run-update", LOG, 0, "u1", 20, "done", 1);
        logs.put(LOG, log(line("u1", 1, 1)));
        states.put(LOG, new State("running", 3, List.of("u1")));
        assertViolation("apart");
    }

    @Test
    void anEventThatWasAcknowledgedAndIsNotThereIsLost() {
        told(A, "append", LOG, 0, "e1", 20, "done", 1);
        logs.put(LOG, log());
        states.put(LOG, new State("running", 1, List.of()));
        assertViolation("lost");
    }

    @Test
    void anEventThatWasRefusedAndIsThereIsFound() {
        told(A, "append", LOG, 0, "e1", 20, "refused", 0);
        logs.put(LOG, log(line("e1", 1, 1)));
        states.put(LOG, new State("running", 1, List.of()));
        assertViolation("refused");
    }

    @Test
    void anEventAtAnotherNumberHasMoved() {
        told(A, "append", LOG, 0, "e1", 20, "done", 1);
        told(A, "append", LOG, 0, "e2", 30, "unknown", 0);
        logs.put(LOG, log(line("e2", 1, 1), line("e1", 2, 2)));
        states.put(LOG, new State("running", 1, List.of()));
        assertViolation("moved");
    }

    @Test
    void aPartOfTheEventsOfAWriteIsNoWriteThatWasSent() {
        told(A, "append", LOG, 0, "e1", 20, "unknown", 0);
        logs.put(LOG, log(line("e1 up to its event 1", 1, 2)));
        states.put(LOG, new State("running", 1, List.of()));
        assertViolation("unasked");
    }

    @Test
    void aRunThatGoesOnAfterItsEndIsFound() {
        told(A, "last-update", LOG, 0, "u1", 20, "done", 1);
        told(B, "run-update", LOG, 0, "u2", 30, "unknown", 0);
        logs.put(LOG, log(line("u1", 1, 1), line("u2", 2, 2)));
        states.put(LOG, new State("completed", 3, List.of("u1", "u2")));
        assertViolation("reopened");
    }

    @Test
    void aRunThatEndedAndIsRunningIsFound() {
        told(A, "last-update", LOG, 0, "u1", 20, "done", 1);
        logs.put(LOG, log(line("u1", 1, 1)));
        states.put(LOG, new State("running", 2, List.of("u1")));
        assertViolation("reopened");
    }

    @Test
    void aTranscriptThatWentOnFromWhatWasReadHasNoViolation() {
        told(A, "save", CHAT, 0, "m1", 20, "done", 1);
        told(B, "save", CHAT, 0, "m2", 20, "refused", 0);
        told(B, "save", CHAT, 0, "m3", 30, "unknown", 0);
        logs.put(CHAT, log(line("m1", 1, 1), line("m3", 2, 2)));
        assertNoViolation();
    }

    @Test
    void aTranscriptThatWasSavedOverAnothersIsFound() {
        told(A, "save", CHAT, 0, "m1", 20, "done", 1);
        told(B, "save", CHAT, 0, "m2", 20, "done", 2);
        logs.put(CHAT, Log.of(1, List.of("m2"), 2));
        assertThat(violations()).anyMatch(violation -> violation.startsWith("lost: save m1"));
        assertThat(violations()).anyMatch(violation -> violation.startsWith("gap: " + CHAT));
    }

    @Test
    void aTranscriptSavedByWhoWasRefusedIsFound() {
        told(A, "save", CHAT, 0, "m1", 20, "refused", 0);
        logs.put(CHAT, log(line("m1", 1, 1)));
        assertViolation("refused");
    }

    @Test
    void aWorkflowAndAnAgentThatCameToTheirEndsHaveNoViolation() {
        workflow();
        told(A, "advance", AGENT, 3, "p1", 20, "unknown", 0);
        told(A, "advance", AGENT, 3, "p1", 30, "done", 1);
        told(A, "end", AGENT, 3, "p2", 40, "done", 2);
        logs.put(AGENT, log(line("p1", 1, 1), line("p2", 2, 2)));
        journals.put(
                AGENT, new Journal("completed", List.of(step("at-work#0", "completed", "", sent("k9", "confirmed")))));
        agents.put(AGENT, new Agent("finished", 1, ""));
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k9", A));
        assertNoViolation();
    }

    @Test
    void aCallThatWasNotMadeTheFirstTimeAndMadeTheSecondHasNoViolation() {
        workflow();
        effects(sent("k1", "not_applied"), sent("k2", "confirmed"));
        ledger.set(0, new Ledger.Line(Ledger.Word.DONE, "k2", A));
        ledger.add(new Ledger.Line(Ledger.Word.BARRED, "k1", A));
        ledger.add(new Ledger.Line(Ledger.Word.LATE, "k1", B));
        assertNoViolation();
    }

    @Test
    void aCheckpointThatIsAheadOfItsJournalIsFound() {
        workflow();
        saves.put(FLOW, new Saves("completed", 4, List.of("m1", "m2", "m3")));
        assertViolation("apart");
    }

    @Test
    void aCheckpointThatIsBehindItsJournalIsFound() {
        workflow();
        saves.put(FLOW, new Saves("running", 2, List.of("m1")));
        assertViolation("apart");
    }

    @Test
    void anAgentThatIsAheadOfItsJournalIsFound() {
        workflow();
        saves.clear();
        agents.put(FLOW, new Agent("finished", 2, ""));
        assertViolation("apart");
    }

    @Test
    void anAgentThatIsNotOverThoughItsRunIsIsFound() {
        workflow();
        saves.clear();
        agents.put(FLOW, new Agent("running", 1, "m1"));
        assertViolation("apart");
    }

    @Test
    void anAgentWithAnothersContentIsFound() {
        told(A, "advance", AGENT, 1, "p1", 20, "done", 1);
        told(A, "advance", AGENT, 1, "p2", 40, "done", 2);
        logs.put(AGENT, log(line("p1", 1, 1), line("p2", 2, 2)));
        journals.put(AGENT, new Journal("running", List.of()));
        agents.put(AGENT, new Agent("running", 2, "p1"));
        assertThat(violations())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("apart: "))
                .anyMatch(line -> line.startsWith("stuck: "));
    }

    @Test
    void readsOfARunAndItsCheckpointsCountEachAsTheyDo() {
        workflow();
        found(B, "find-journal", FLOW, 37, Entry.NONE, 1);
        found(B, "find-checkpoint", FLOW, 37, "m1", 1);
        found(B, "find-journal", FLOW, 60, Entry.NONE, 3);
        found(B, "find-checkpoint", FLOW, 60, "m2", 2);
        assertNoViolation();
    }

    @Test
    void aCheckpointThatIsOlderThanWhatWasAcknowledgedIsFound() {
        workflow();
        found(B, "find-checkpoint", FLOW, 60, "m1", 1);
        assertViolation("read");
    }

    @Test
    void aCheckpointWithAnothersContentIsFound() {
        workflow();
        found(B, "find-checkpoint", FLOW, 60, "m1", 2);
        assertViolation("read");
    }

    @Test
    void aCheckpointThatWasReadAndIsNotThereIsFound() {
        workflow();
        found(B, "find-checkpoint", FLOW, 60, "m3", 3);
        assertViolation("read");
    }

    @Test
    void aJournalThatIsOlderThanWhatWasAcknowledgedIsFound() {
        workflow();
        found(B, "find-journal", FLOW, 60, Entry.NONE, 2);
        assertViolation("read");
    }

    @Test
    void anAgentThatIsGoneBeforeItsEndIsFound() {
        told(A, "advance", AGENT, 3, "p1", 20, "done", 1);
        found(B, "find-agent", AGENT, 30, Entry.NONE, 0);
        told(A, "end", AGENT, 3, "p2", 40, "done", 2);
        found(B, "find-agent", AGENT, 50, Entry.NONE, 0);
        logs.put(AGENT, log(line("p1", 1, 1), line("p2", 2, 2)));
        journals.put(AGENT, new Journal("completed", List.of()));
        agents.put(AGENT, new Agent("finished", 1, ""));
        assertViolation("read");
    }

    @Test
    void aRunsStateIsReadWithTheNumberOfItsLastEvent() {
        told(A, "run-update", LOG, 0, "u1", 20, "done", 2);
        told(B, "append", LOG, 0, "e1", 30, "done", 3);
        logs.put(LOG, log(line("u1", 1, 2), line("e1", 3, 3)));
        states.put(LOG, new State("running", 2, List.of("u1")));
        found(B, "find-run", LOG, 40, "u1", 3);
        assertNoViolation();
        found(B, "find-run", LOG, 50, Entry.NONE, 3);
        assertViolation("read");
    }

    @Test
    void aRunThatMovedAndHasNoCheckpointIsFound() {
        workflow();
        saves.clear();
        assertViolation("apart");
    }

    @Test
    void aJournalThatEndedAndIsNotOverIsFound() {
        workflow();
        journals.put(FLOW, new Journal("running", journals.get(FLOW).steps()));
        saves.put(FLOW, new Saves("running", 3, List.of("m1", "m2")));
        assertThat(violations())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("reopened: "))
                .anyMatch(line -> line.startsWith("stuck: "));
    }

    @Test
    void aRunThatNobodyWentOnWithIsStuck() {
        told(A, "advance", FLOW, 1, "m1", 20, "done", 1);
        logs.put(FLOW, log(line("m1", 1, 1)));
        journals.put(FLOW, new Journal("interrupted", List.of()));
        saves.put(FLOW, new Saves("running", 2, List.of("m1")));
        assertViolation("stuck");
    }

    @Test
    void aCommitThatWasSentAfterSomebodyHeardOfALaterTokenIsStale() {
        granted(A, FLOW, 1, 10);
        granted(B, FLOW, 2, 1_100);
        told(A, "advance", FLOW, 1, "m1", 1_200, "unknown", 0);
        told(B, "end", FLOW, 2, "m2", 1_300, "done", 2);
        logs.put(FLOW, log(line("m1", 1, 1), line("m2", 2, 2)));
        journals.put(FLOW, new Journal("completed", List.of()));
        saves.put(FLOW, new Saves("completed", 3, List.of("m1", "m2")));
        assertViolation("stale");
    }

    @Test
    void aPausingCommitGivesTheLeaseBack() {
        granted(A, FLOW, 1, 10);
        told(A, "pause", FLOW, 1, "m1", 20, "done", 1);
        granted(B, FLOW, 2, 50);
        told(B, "end", FLOW, 2, "m2", 70, "done", 2);
        logs.put(FLOW, log(line("m1", 1, 1), line("m2", 2, 2)));
        journals.put(FLOW, new Journal("completed", List.of()));
        saves.put(FLOW, new Saves("completed", 3, List.of("m1", "m2")));
        assertNoViolation();
    }

    @Test
    void anEffectThatTookPlaceTwiceUnderOneKeyIsFound() {
        workflow();
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k1", B));
        assertViolation("effect");
    }

    @Test
    void anEffectThatTookPlaceUnderTwoKeysIsFound() {
        workflow();
        effects(sent("k1", "confirmed"), sent("k2", "confirmed"));
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k2", B));
        assertViolation("effect");
    }

    @Test
    void anEffectThatIsConfirmedAndNeverTookPlaceIsFound() {
        workflow();
        ledger.remove(0);
        assertThat(violations()).hasSize(2).allMatch(line -> line.startsWith("effect: "));
    }

    @Test
    void anEffectThatIsSaidNotToHaveHappenedAndHasIsFound() {
        workflow();
        effects(sent("k2", "confirmed"), sent("k1", "not_applied"));
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k2", B));
        assertThat(violations()).hasSize(2).allMatch(line -> line.startsWith("effect: "));
    }

    @Test
    void anEffectOfARefusedCallIsFound() {
        workflow();
        Step refused = step("at-work#0", "failed", "", sent("k1", "confirmed"));
        journals.put(FLOW, new Journal("completed", List.of(refused, gated())));
        assertViolation("effect");
    }

    @Test
    void anEffectThatNoJournalHasIsFound() {
        workflow();
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k8", A));
        assertViolation("unasked");
    }

    @Test
    void anEffectThatIsStillOnItsWayWhenItsRunIsOverIsFound() {
        workflow();
        effects(sent("k1", "pending"));
        assertViolation("unsettled");
    }

    @Test
    void anEffectThatIsStillInDoubtWhenItsRunIsOverIsFound() {
        workflow();
        effects(sent("k1", "confirmed"), sent("k2", "indeterminate"));
        assertViolation("unsettled");
    }

    @Test
    void aStepWithoutAnOutcomeWhenItsRunIsOverIsFound() {
        workflow();
        journals.put(
                FLOW, new Journal("completed", List.of(step("at-work#0", "", "", sent("k1", "confirmed")), gated())));
        assertViolation("unsettled");
    }

    @Test
    void aDecisionThatWasAcknowledgedAndIsNotThereIsLost() {
        workflow();
        told(B, "reject", GATED, 0, "d2", 15, "done", 0);
        assertViolation("lost");
    }

    @Test
    void aDecisionThatWasRefusedAndIsThereIsFound() {
        workflow();
        history.removeIf(entry -> entry.write().equals("d1"));
        told(B, "approve", GATED, 0, "d1", 12, "refused", 0);
        assertViolation("refused");
    }

    @Test
    void aRejectionThatBecameAnApprovalIsFound() {
        workflow();
        history.removeIf(entry -> entry.write().equals("d1"));
        told(B, "reject", GATED, 0, "d1", 12, "done", 0);
        assertViolation("changed");
    }

    @Test
    void aWithdrawnApprovalThatWasUsedIsFound() {
        workflow();
        history.removeIf(entry -> entry.write().equals("d1"));
        told(B, "withdraw", GATED, 0, "d1", 12, "done", 0);
        assertViolation("changed");
    }

    @Test
    void anApprovalThatWasConsumedForNothingIsFound() {
        workflow();
        journals.put(FLOW, new Journal("completed", journals.get(FLOW).steps().subList(0, 1)));
        ledger.remove(1);
        assertViolation("apart");
    }

    @Test
    void anApprovalThatTheJournalUsedAndIsStillToBeHadIsFound() {
        workflow();
        approvals.put(GATED, new Approval(FLOW, "approved", "approved", "d1", "", 1));
        assertThat(violations()).hasSize(2).allMatch(line -> line.startsWith("apart: "));
    }

    @Test
    void anApprovalThatTwoStepsUsedIsFound() {
        workflow();
        journals.put(
                FLOW,
                new Journal(
                        "completed",
                        List.of(
                                journals.get(FLOW).steps().get(0),
                                gated(),
                                step("at-work#1.2", "completed", GATED, sent("k3", "confirmed")))));
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k3", B));
        assertViolation("apart");
    }

    @Test
    void aUseThatWasAcknowledgedAndIsAnothersIsLost() {
        workflow();
        told(B, "dispatch", FLOW, 2, GATED + "@2", 90, "done", 0);
        assertViolation("lost");
    }

    @Test
    void anApprovalThatWaitsThoughItsRunIsOverIsFound() {
        workflow();
        approvals.put(FLOW + "/x", new Approval(FLOW, "pending", "", "", "", 0));
        assertViolation("apart");
    }

    /** A step that needs nobody's leave, one that does, and the end. */
    private void workflow() {
        granted(A, FLOW, 1, 10);
        told(B, "approve", GATED, 0, "d1", 12, "done", 0);
        told(A, "advance", FLOW, 1, "m1", 30, "done", 1);
        told(A, "dispatch", FLOW, 1, GATED + "@1", 40, "done", 2);
        told(A, "end", FLOW, 1, "m2", 50, "done", 3);
        logs.put(FLOW, log(line("m1", 1, 1), line(GATED + "@1", 2, 2), line("m2", 3, 3)));
        journals.put(
                FLOW,
                new Journal(
                        "completed", List.of(step("at-work#0", "completed", "", sent("k1", "confirmed")), gated())));
        saves.put(FLOW, new Saves("completed", 3, List.of("m1", "m2")));
        approvals.put(GATED, new Approval(FLOW, "consumed", "approved", "d1", "at-work#1", 1));
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k1", A));
        ledger.add(new Ledger.Line(Ledger.Word.DONE, "k7", A));
    }

    private static Step gated() {
        return step("at-work#1", "completed", GATED, sent("k7", "confirmed"));
    }

    /** Other effects of the first step. */
    private void effects(Sent... effects) {
        journals.put(FLOW, new Journal("completed", List.of(step("at-work#0", "completed", "", effects), gated())));
    }

    private static Step step(String key, String outcome, String approval, Sent... effects) {
        return new Step(key, outcome, approval, List.of(effects));
    }

    private static Sent sent(String key, String status) {
        return new Sent(key, status);
    }

    private static Log log(Log.Line... lines) {
        return new Log(1, List.of(lines), lines.length == 0 ? 0 : lines[lines.length - 1].to());
    }

    private static Log.Line line(String write, long from, long to) {
        return new Log.Line(write, from, to);
    }

    private void granted(String who, String key, long token, long at) {
        told(who, "claim", key, 0, Entry.NONE, at, "granted", 1_000, token);
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

    private void found(String who, String operation, String key, long at, String write, long number) {
        calls++;
        history.add(new Entry(at * MILLI, who, calls, Entry.CALL, operation, key, 0, Entry.NONE, 0));
        history.add(new Entry((at + 1) * MILLI, who, calls, "found", operation, key, 0, write, number));
    }

    private void assertNoViolation() {
        assertThat(violations()).isEmpty();
    }

    private void assertViolation(String rule) {
        assertThat(violations()).hasSize(1).first().asString().startsWith(rule + ": ");
    }

    private List<String> violations() {
        StoredRuns runs = new StoredRuns(states, journals, saves, agents, approvals, ledger);
        Map<String, Long> tokens = Map.of(FLOW, 9L, AGENT, 9L);
        return Checker.violations(history, new Stored(logs, List.of(), Map.of(), tokens, 0, runs));
    }
}
