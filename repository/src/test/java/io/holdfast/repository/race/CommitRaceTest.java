package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.Stores;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A commit to a journal beside whatever else moves its run and gives back its lease, and in an application's transaction. */
@ExtendWith(Race.Parameter.class)
class CommitRaceTest {

    private static final StepKey STEP = StepKey.visit("charge", 1);
    private static final LeaseKey LEASE = LeaseKey.ofRun("run");

    private final Race race;

    CommitRaceTest(Race race) {
        this.race = race;
    }

    private Opened.Done opened(String id) {
        return (Opened.Done)
                race.stores.journal().open(NewRun.of(id, RunKind.WORKFLOW, "digest", "{}"), "worker", Race.TTL);
    }

    private Fence opened() {
        return opened("run").lease().fence();
    }

    private static JournalCommit.Builder any() {
        return JournalCommit.toAny("run");
    }

    private static Committed commit(Stores stores, Fence fence, JournalCommit.Builder commit) {
        return stores.journal().commit(fence, commit.build());
    }

    private Committed commit(Fence fence, JournalCommit.Builder commit) {
        return commit(race.stores, fence, commit);
    }

    private static JournalCommit.Builder event() {
        return any().event(JournalEvent.of("{\"n\":1}"));
    }

    private Intent intent() {
        return Intent.of(STEP, "payload", race.scope.id() + "-key", EffectClass.IDEMPOTENT);
    }

    private JournalCommit.Builder sent() {
        return any().intent(intent()).effect(intent().pending());
    }

    /** The commit waits for the first, and is judged by what that has left. */
    private void assertRefused(Background<Committed> waiting, Caller first, Committed answer) {
        race.awaitBlocked(waiting);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    @Test // the same fence, in two hands: whoever pauses gives the lease back for both
    void aCommitThatWaitedForOneThatPausedTheRunIsRefused() {
        Fence fence = opened();
        Caller first = race.caller();
        assertThat(commit(first.stores, fence, any().status(RunStatus.PAUSED))).isInstanceOf(Committed.Done.class);
        assertRefused(
                race.inBackground(() -> commit(fence, any().status(RunStatus.RUNNING))),
                first,
                new Committed.FenceLost(Loss.NONE));
    }

    @Test
    void aCommitThatWaitedForOneWithWhichTheLeaseWasGivenBackIsRefused() {
        Fence fence = opened();
        Caller first = race.caller();
        assertThat(commit(first.stores, fence, event())).isInstanceOf(Committed.Done.class);
        assertThat(first.stores.leases().release(LEASE, fence)).isTrue();
        assertRefused(race.inBackground(() -> commit(fence, event())), first, new Committed.FenceLost(Loss.NONE));
    }

    @Test
    void aCommitThatWaitedForAResolutionThatGaveTheLeaseBackIsRefused() {
        Fence former = opened();
        commit(former, sent());
        commit(former, any().effect(EffectEntry.indeterminate(STEP, 0)).status(RunStatus.PAUSED));
        Fence fence = ((RunClaim.Granted) race.stores.runLeases().claim("run", "worker", Race.TTL, "digest"))
                .lease()
                .fence();
        Caller first = race.caller();
        assertThat(first.stores
                        .journal()
                        .resolveEffect(
                                fence,
                                "run",
                                EffectId.of(race.scope, "run", STEP, 0),
                                Resolution.of(Finding.CONFIRMED, "ann")))
                .isInstanceOf(Resolved.Done.class);
        assertRefused(race.inBackground(() -> commit(fence, event())), first, new Committed.FenceLost(Loss.NONE));
    }

    @Test
    void aCommitThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten() {
        Opened.Done opened = opened("run");
        Fence fence = opened.lease().fence();
        JournalCommit.Builder commit = JournalCommit.to(opened.head()).event(JournalEvent.of("{}"));
        assertThat(race.outliving(LEASE, fence, "execution", "run", () -> commit(fence, commit)))
                .isInstanceOf(Committed.Done.class);
    }

    @Test
    void aCommitThatIsTakenBackToASavepointIsMadeAgain() {
        Opened.Done opened = opened("run");
        Fence fence = opened.lease().fence();
        JournalCommit commit = JournalCommit.to(opened.head())
                .intent(intent())
                .effect(intent().pending())
                .event(JournalEvent.of("{}"))
                .status(RunStatus.PAUSED)
                .build();
        Caller caller = race.caller().run("savepoint before");
        assertThat(caller.stores.journal().commit(fence, commit)).isInstanceOf(Committed.Done.class);
        caller.run("rollback to savepoint before");
        assertThat(caller.stores.journal().commit(fence, commit)).isInstanceOf(Committed.Done.class);
        assertThat(caller.stores.journal().commit(fence, commit)).isInstanceOf(Committed.AlreadyApplied.class);
        caller.commit();
        assertThat(race.stores.journal().find("run").orElseThrow().events())
                .extracting(RecordedEvent::sequence)
                .containsExactly(1L);
    }

    @Test
    void ofACommitThatIsRolledBackNothingIsLeftAndTheNextIsWritten() {
        Opened.Done opened = opened("run");
        Fence fence = opened.lease().fence();
        JournalCommit commit =
                JournalCommit.to(opened.head()).status(RunStatus.COMPLETED).build();
        String before = race.dump();
        Caller caller = race.caller();
        caller.stores.journal().commit(fence, commit);
        Background<Committed> waiting =
                race.inBackground(() -> race.stores.journal().commit(fence, commit));
        race.awaitBlocked(waiting);
        race.assertStands(before);
        caller.rollback();
        assertThat(waiting.result()).isInstanceOf(Committed.Done.class);
    }

    @Test
    void aCommitThatWaitedForThePurgeOfTheRunThatHadItsKeyIsWritten() {
        Fence fence = opened();
        Caller purge = purged();
        Background<Committed> waiting = race.inBackground(() -> commit(fence, sent()));
        race.awaitBlocked(waiting);
        purge.commit();
        assertThat(waiting.result()).isInstanceOf(Committed.Done.class);
    }

    @Test
    void aCommitThatWaitedForAPurgeThatWasTakenBackHearsThatItsKeyIsTaken() {
        Fence fence = opened();
        Caller purge = purged();
        Background<Committed> waiting = race.inBackground(() -> commit(fence, sent()));
        race.awaitBlocked(waiting);
        purge.rollback();
        String stood = race.dump();
        assertThat(waiting.result()).isEqualTo(new Committed.KeyTaken(intent().idempotencyKey()));
        race.assertStands(stood);
    }

    /** Another run has the key, is over, and is just being purged. */
    private Caller purged() {
        Opened.Done other = opened("other");
        Fence fence = other.lease().fence();
        commit(fence, JournalCommit.toAny("other").intent(intent()).effect(intent().pending()));
        commit(
                fence,
                JournalCommit.toAny("other")
                        .effect(EffectEntry.confirmed(STEP, 0))
                        .status(RunStatus.COMPLETED));
        Caller purge = race.caller();
        assertThat(purge.stores.journal().purge(Duration.ZERO, 10)).isEqualTo(1);
        return purge;
    }

    @Test
    void atAHigherIsolationACommitBehindAnotherIsTypedAndRetryable() {
        Fence fence = opened();
        Caller caller = race.caller().isolated("repeatable read").run("select count(*) from holdfast.lease");
        commit(fence, event());
        String before = race.dump();
        assertThatThrownBy(() -> commit(caller.stores, fence, event()))
                .isInstanceOfSatisfying(
                        TransactionLostException.class,
                        e -> assertThat(e.retryable()).isTrue());
        caller.rollback();
        race.assertStands(before);
    }

    @Test
    void atAHigherIsolationAKeyThatWasTakenMeanwhileIsTypedAndRetryable() {
        Fence fence = opened();
        Fence other = opened("other").lease().fence();
        Caller caller = race.caller().isolated("repeatable read").run("select count(*) from holdfast.lease");
        commit(other, JournalCommit.toAny("other").intent(intent()).effect(intent().pending()));
        String before = race.dump();
        assertThatThrownBy(() -> commit(caller.stores, fence, sent())).isInstanceOf(TransactionLostException.class);
        caller.rollback();
        race.assertStands(before);
    }

    @Test // a refusal would say what is not so
    void atAHigherIsolationAnApprovalThatWasConsumedMeanwhileIsTypedAndRetryable() {
        Fence fence = opened();
        ApprovalRequest request = ApprovalRequest.of("ap", "run", "the call", Expiry.DEFAULT);
        Approvals approvals = race.stores.approvals();
        approvals.register(request);
        approvals.decide("ap", Decision.approve(request.digest(), "ann"));
        Caller caller = race.caller().isolated("repeatable read").run("select count(*) from holdfast.lease");
        assertThat(approvals.consume(new ApprovalUse("ap", "run", request.digest(), STEP), fence))
                .isInstanceOf(Consumption.Consumed.class);
        Intent intent = Intent.of(STEP, request.digest(), race.scope.id() + "-key", EffectClass.IDEMPOTENT);
        assertThatThrownBy(() -> commit(caller.stores, fence, any().intent(intent.under("ap"))))
                .isInstanceOf(TransactionLostException.class);
        caller.rollback();
        assertThat(commit(fence, any().intent(intent.under("ap")))).isInstanceOf(Committed.Done.class);
    }

    @Test // whatever an application's connection has for a search path, and tables of the same names in it
    void aCommitWritesToItsOwnTables() {
        Fence fence = opened();
        Caller caller = race.caller()
                .run("create temporary table execution (like holdfast.execution) on commit drop")
                .run("create temporary table lease (like holdfast.lease) on commit drop")
                .run("create temporary table execution_event (like holdfast.execution_event) on commit drop")
                .run("set local search_path = ''");
        assertThat(commit(caller.stores, fence, event())).isInstanceOf(Committed.Done.class);
        caller.commit();
        assertThat(race.stores.journal().find("run").orElseThrow().events()).hasSize(1);
    }
}
