package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Waiting;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RecoverableRun.Cause;
import io.holdfast.journal.RecoverableRun.Checkpointed;
import io.holdfast.journal.RecoverableRun.Claimable;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunLeases;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The one list of what somebody should be at work on, whatever is kept of it. */
abstract class RecoveryContract extends CheckpointScene {

    private static final String DIGEST = CallDigest.of("the call");

    private final ExecutionJournal journal;
    private final RunLeases runLeases;

    RecoveryContract(Environment environment) {
        super(environment);
        journal = watched.watch(
                ExecutionJournal.class, environment.holdfast().in(scope).journal());
        runLeases =
                watched.watch(RunLeases.class, environment.holdfast().in(scope).runLeases());
    }

    private Opened.Done opened(String id) {
        return (Opened.Done) journal.open(NewRun.of(id, RunKind.AGENT, "digest", "{}"), "worker", MINUTE);
    }

    private void ended(Opened.Done run, RunStatus status) {
        assertThat(journal.commit(
                        run.lease().fence(),
                        JournalCommit.to(run.head()).status(status).build()))
                .isInstanceOf(Committed.Done.class);
    }

    private void paused(String id) {
        ended(opened(id), RunStatus.PAUSED);
    }

    private void registered(String approval, String run) {
        approvals.register(ApprovalRequest.of(approval, run, "the call", Expiry.DEFAULT));
    }

    private void approve(String approval) {
        approvals.decide(approval, Decision.approve(DIGEST, "ann"));
    }

    private void lapsed(String approval) {
        environment.changeRow(
                "update {approval} set expires_at = clock_timestamp() where scope = ? and id = ?",
                scope.id(),
                approval);
    }

    private void agent(String run, AgentPhase phase) {
        Fence fence = leased(run);
        AgentState state = AgentState.of(phase, "{\"run_id\":\"" + run + "\"}");
        assertThat(agents.pause(run, 0, state, fence)).isInstanceOf(Saved.Done.class);
    }

    private List<RecoverableRun> recoverable() {
        RecoverablePage page = runLeases.recoverable("", 100);
        assertThat(page.next()).isEmpty();
        return page.runs();
    }

    private List<String> ids() {
        return recoverable().stream().map(RecoverableRun::id).toList();
    }

    private void claimedAndPaused(String id) {
        RunClaim.Granted claim = (RunClaim.Granted) runLeases.claim(id, "worker", MINUTE, "digest");
        assertThat(journal.commit(
                        claim.lease().fence(),
                        JournalCommit.to(claim.head()).status(RunStatus.PAUSED).build()))
                .isInstanceOf(Committed.Done.class);
    }

    @Test // W18, W19, A16, 2.10: one list over all that is kept, without what is alive, waits or is over
    void oneListHoldsTheRunsOfTheJournalOfCheckpointsAndOfAgents() {
        opened("a journal, alive");
        leases.release(LeaseKey.ofRun("b journal"), opened("b journal").lease().fence());
        paused("c journal, paused");
        reservedRun("d checkpoint");
        reservedRun("e checkpoint, alive");
        leased("e checkpoint, alive");
        created(RunStart.child("d checkpoint", "part#1"), first());
        completed("f checkpoint, over");
        agent("g agent", AgentPhase.MODEL_NEXT);
        agent("h agent, at its end", AgentPhase.COMPLETED);
        agent("i agent, paused", AgentPhase.PAUSED);
        agent("j agent, alive", AgentPhase.TOOLS_PENDING);
        leased("j agent, alive");
        assertThat(ids()).containsExactly("b journal", "d checkpoint", "g agent", "h agent, at its end");
        assertThat(recoverable().get(0)).isInstanceOfSatisfying(Claimable.class, run -> {
            assertThat(run.cause()).isEqualTo(Cause.LEFT);
            assertThat(run.kind()).isEqualTo(RunKind.AGENT);
        });
        assertThat(recoverable().get(1))
                .isEqualTo(new Checkpointed("d checkpoint", Cause.LEFT, false, Optional.empty()));
        expire(LeaseKey.ofRun("e checkpoint, alive"));
        assertThat(recoverable().get(2))
                .isEqualTo(new Checkpointed("e checkpoint, alive", Cause.LEFT, false, Optional.of("worker")));
    }

    @Test
    void aRunOfSeveralStoresIsListedOnceAndIsTheJournals() {
        leases.release(LeaseKey.ofRun("run"), opened("run").lease().fence());
        reservedRun("run");
        agent("run", AgentPhase.TOOLS_PENDING);
        assertThat(recoverable())
                .singleElement()
                .isInstanceOfSatisfying(
                        Claimable.class, run -> assertThat(run.status()).isEqualTo(RunStatus.RUNNING));
    }

    @Test // A21, 3.8: the journal is at its end, the checkpoint is not
    void aCheckpointThatHasToFollowAJournalThatIsOverIsListed() {
        Opened.Done run = opened("run");
        agents.save(
                "run",
                0,
                AgentState.of(AgentPhase.COMPLETED, "{\"run_id\":\"run\"}"),
                run.lease().fence());
        ended(run, RunStatus.COMPLETED);
        assertThat(recoverable()).containsExactly(new Checkpointed("run", Cause.LEFT, true, Optional.empty()));
    }

    @Test // 2.10, hole 7: claimed, and the journal has not moved
    void aPausedRunWhoseCheckpointHasGoneOnIsListed() {
        paused("run");
        assertThat(ids()).isEmpty();
        reservedRun("run");
        assertThat(recoverable()).singleElement().isInstanceOfSatisfying(Claimable.class, run -> {
            assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
            assertThat(run.cause()).isEqualTo(Cause.LEFT);
        });
    }

    @Test // whoever decided has died before he could tell, or was told that somebody is at work on the run
    void aPausedRunThatWasAnsweredIsListedWhateverTheAnswer() {
        for (String run : List.of("approved", "rejected", "withdrawn", "lapsed", "waiting")) {
            paused(run);
            registered("ap-" + run, run);
        }
        assertThat(ids()).isEmpty();
        approve("ap-approved");
        approvals.decide("ap-rejected", Decision.reject(DIGEST, "ann", "no"));
        approvals.withdraw("ap-withdrawn", "ann", "");
        lapsed("ap-lapsed");
        assertThat(ids()).containsExactly("approved", "lapsed", "rejected", "withdrawn");
        assertThat(recoverable()).allSatisfy(run -> {
            assertThat(((Claimable) run).cause()).isEqualTo(Cause.ANSWERED);
            assertThat(((Claimable) run).status()).isEqualTo(RunStatus.PAUSED);
        });
        approvals.withdrawExpired(10);
        assertThat(ids()).as("taken back by the clock").containsExactly("approved", "lapsed", "rejected", "withdrawn");
    }

    @Test // the wake-up that was lost because the run was not paused yet
    void anAnswerThatCameBeforeThePauseIsNotLost() {
        Opened.Done run = opened("run");
        registered("ap", "run");
        approve("ap");
        assertThat(ids()).as("its worker is at it").isEmpty();
        ended(run, RunStatus.PAUSED);
        assertThat(ids()).containsExactly("run");
    }

    @Test
    void whoHasHeardAnAnswerIsNotSentToItAgain() {
        paused("run");
        for (String approval : List.of("first", "second", "third")) {
            registered(approval, "run");
        }
        approvals.decide("first", Decision.reject(DIGEST, "ann", ""));
        lapsed("second");
        assertThat(ids()).containsExactly("run");
        claimedAndPaused("run");
        assertThat(ids()).isEmpty();
        approvals.withdrawExpired(10);
        assertThat(ids()).as("it lapsed, and was heard to").isEmpty();
        approve("third");
        assertThat(ids()).containsExactly("run");
        claimedAndPaused("run");
        assertThat(ids()).as("approved, heard, and still to be had").isEmpty();
        approvals.withdraw("third", "ann", "");
        assertThat(ids()).as("and taken back").containsExactly("run");
    }

    @Test
    void aClaimerThatDiesLeavesARunThatIsListedAllTheSame() {
        paused("run");
        registered("ap", "run");
        approve("ap");
        runLeases.claim("run", "gone", MINUTE, "digest");
        assertThat(ids()).isEmpty();
        expire(LeaseKey.ofRun("run"));
        assertThat(recoverable())
                .singleElement()
                .isInstanceOfSatisfying(
                        Claimable.class, run -> assertThat(run.cause()).isEqualTo(Cause.LEFT));
    }

    @Test // told to stop, or refused by the database: a handle's close gives the lease back, and nothing was done
    void aClaimerThatGivesUpLeavesARunThatIsListedAllTheSame() {
        paused("run");
        registered("ap", "run");
        approve("ap");
        RunClaim.Granted claim = (RunClaim.Granted) runLeases.claim("run", "worker", MINUTE, "digest");
        leases.release(LeaseKey.ofRun("run"), claim.lease().fence());
        assertThat(recoverable()).singleElement().isInstanceOfSatisfying(Claimable.class, run -> {
            assertThat(run.cause()).isEqualTo(Cause.LEFT);
            assertThat(run.lastOwner()).isEmpty();
        });
        claimedAndPaused("run");
        assertThat(ids()).as("it waits again").isEmpty();
    }

    @Test // what an operator found out is told to nobody: his claim is not the engine's
    void aPausedRunIsListedOnceNothingIsInDoubtAnyMore() {
        Opened.Done run = opened("run");
        JournalCommit.Builder sent = JournalCommit.to(run.head());
        for (int visit = 1; visit <= 2; visit++) {
            Intent intent = Intent.of(StepKey.visit("step", visit), DIGEST, "key-" + visit, EffectClass.NON_IDEMPOTENT);
            sent.intent(intent).effect(intent.pending());
        }
        RunHead head = ((Committed.Done) journal.commit(run.lease().fence(), sent.build())).head();
        JournalCommit.Builder doubt = JournalCommit.to(head).status(RunStatus.PAUSED);
        for (int visit = 1; visit <= 2; visit++) {
            doubt.effect(EffectEntry.indeterminate(StepKey.visit("step", visit), 0));
        }
        assertThat(journal.commit(run.lease().fence(), doubt.build())).isInstanceOf(Committed.Done.class);
        resolved(1);
        assertThat(ids()).as("the other is in doubt").isEmpty();
        resolved(2);
        assertThat(ids()).containsExactly("run");
    }

    private void resolved(int visit) {
        RunClaim.Granted claim = (RunClaim.Granted) runLeases.claim("run", "operator", MINUTE, "digest");
        EffectId effect = EffectId.of(scope, "run", StepKey.visit("step", visit), 0);
        assertThat(journal.resolveEffect(
                        claim.lease().fence(), "run", effect, Resolution.of(Finding.CONFIRMED, "operator")))
                .isInstanceOf(Resolved.Done.class);
    }

    @Test
    void whatWasApprovedAndHeardIsListedWhenItIsTakenBackAsLapsed() {
        paused("run");
        registered("ap", "run");
        approve("ap");
        claimedAndPaused("run");
        assertThat(ids()).isEmpty();
        lapsed("ap");
        approvals.withdrawExpired(10);
        assertThat(ids()).containsExactly("run");
    }

    @Test
    void anAnswerToWhatIsOverWakesNobody() {
        Opened.Done over = opened("over");
        registered("ap", "over");
        registered("ap-late", "over");
        approve("ap");
        ended(over, RunStatus.COMPLETED);
        approve("ap-late");
        registered("ap-none", "none");
        approve("ap-none");
        completed("checkpoint");
        registered("ap-checkpoint", "checkpoint");
        approve("ap-checkpoint");
        assertThat(ids()).isEmpty();
        assertThat(environment.value(
                        "select string_agg(id, ',' order by id) from {approval} where scope = ? and heard", scope.id()))
                .as("what its run's end has settled")
                .isEqualTo("ap");
    }

    @Test
    void whatLapsesOnceItsRunHasEndedIsNotLookedAt() {
        Opened.Done over = opened("over");
        registered("ap", "over");
        ended(over, RunStatus.FAILED);
        lapsed("ap");
        assertThat(environment.value(
                        "select count(*) from {approval} where scope = ? and not heard and status = 'pending'",
                        scope.id()))
                .as("what recovery walks")
                .isEqualTo("0");
        approvals.withdrawExpired(10);
        assertThat(ids()).isEmpty();
    }

    @Test // the id of a run that was purged, and an approval of that id that was left over
    void whatAFormerRunOfTheIdLeftUndecidedWakesTheOneThatWaitsForItNow() {
        Opened.Done former = opened("run");
        registered("ap", "run");
        ended(former, RunStatus.FAILED);
        assertThat(journal.purge(Duration.ZERO, 10)).isEqualTo(1);
        paused("run");
        assertThat(ids()).isEmpty();
        lapsed("ap");
        assertThat(ids()).containsExactly("run");
    }

    @Test // agents and checkpoints that have no journal
    void pausedCheckpointsThatWereAnsweredAreListedUntilTheyAreSavedUnderAnotherLease() {
        agent("agent", AgentPhase.PAUSED);
        SavedCheckpoint run = reservedRun("checkpoint");
        checkpoints.overwrite(run, run.checkpoint().paused(Waiting.ForApprovals.of("ap-checkpoint")));
        registered("ap-agent", "agent");
        registered("ap-checkpoint", "checkpoint");
        assertThat(ids()).isEmpty();
        approve("ap-agent");
        lapsed("ap-checkpoint");
        assertThat(recoverable())
                .containsExactly(
                        new Checkpointed("agent", Cause.ANSWERED, false, Optional.empty()),
                        new Checkpointed("checkpoint", Cause.ANSWERED, false, Optional.empty()));
        for (String id : List.of("agent", "checkpoint")) {
            leases.release(LeaseKey.ofRun(id), leased(id));
        }
        assertThat(ids()).as("given back, and nothing was done").containsExactly("agent", "checkpoint");
        agents.pause(
                "agent", 1, AgentState.of(AgentPhase.PAUSED, "{\"run_id\":\"agent\",\"more\":1}"), leased("agent"));
        SavedCheckpoint stored = foundRun("checkpoint");
        Fence fence = leased("checkpoint");
        saved(stored, stored.checkpoint().paused(Waiting.ForApprovals.of("ap-more")), fence);
        leases.release(LeaseKey.ofRun("checkpoint"), fence);
        assertThat(ids()).isEmpty();
    }

    /** Its time is over, and it was granted when it was. */
    private void leaseLapsed(String run) {
        environment.changeRow(
                "update {lease} set expires_at = clock_timestamp() where scope = ? and kind = 'run' and id = ?",
                scope.id(),
                run);
    }

    @Test
    void whoTookAnAnsweredCheckpointAndDiedBeforeItsFirstSaveLeavesItListed() {
        agent("agent", AgentPhase.PAUSED);
        SavedCheckpoint run = reservedRun("checkpoint");
        checkpoints.overwrite(run, run.checkpoint().paused(Waiting.ForApprovals.of("ap-checkpoint")));
        registered("ap-agent", "agent");
        registered("ap-checkpoint", "checkpoint");
        approve("ap-agent");
        approve("ap-checkpoint");
        leased("agent");
        leased("checkpoint");
        assertThat(ids()).as("somebody has them").isEmpty();
        leaseLapsed("agent");
        leaseLapsed("checkpoint");
        assertThat(ids()).containsExactly("agent", "checkpoint");
    }

    @Test
    void pagesGoOnOverAllOfThem() {
        for (int i = 0; i < 3; i++) {
            leases.release(
                    LeaseKey.ofRun("run-" + 3 * i),
                    opened("run-" + 3 * i).lease().fence());
            reservedRun("run-" + (3 * i + 1));
            paused("run-" + (3 * i + 2));
            registered("ap-" + i, "run-" + (3 * i + 2));
            approve("ap-" + i);
        }
        List<String> found = new ArrayList<>();
        for (Optional<String> after = Optional.of(""); after.isPresent(); ) {
            RecoverablePage page = runLeases.recoverable(after.get(), 2);
            assertThat(page.runs()).hasSizeLessThanOrEqualTo(2);
            page.runs().forEach(run -> found.add(run.id()));
            after = page.next();
        }
        assertThat(found)
                .containsExactly("run-0", "run-1", "run-2", "run-3", "run-4", "run-5", "run-6", "run-7", "run-8");
    }

    @Test // L16, J17
    void aRowThatCannotBeReadHidesNoOtherOfAnyKind() {
        leases.release(LeaseKey.ofRun("a"), opened("a").lease().fence());
        environment.changeRow("update {execution} set journal_version = 2 where scope = ? and id = 'a'", scope.id());
        reservedRun("b");
        agent("c", AgentPhase.MODEL_NEXT);
        environment.changeRow(
                "update {agent_checkpoint} set payload = '[]' where scope = ? and run_id = 'c'", scope.id());
        paused("d");
        registered("ap", "d");
        approve("ap");
        assertThat(ids()).containsExactly("a", "b", "c", "d");
        assertThat(recoverable().get(0)).isInstanceOf(RecoverableRun.Unreadable.class);
    }
}
