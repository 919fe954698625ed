package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Consumption.AlreadyConsumed;
import io.holdfast.approval.Consumption.Consumed;
import io.holdfast.approval.Consumption.Dispatched;
import io.holdfast.approval.Consumption.FenceLost;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whoever consumes an approval beside whatever else moves its run, its lease and itself, and in an application's transaction. */
@ExtendWith(Race.Parameter.class)
class ConsumeRaceTest {

    private static final ApprovalRequest REQUEST = ApprovalRequest.of("ap", "run", "the call", Expiry.DEFAULT);
    private static final String DIGEST = CallDigest.of("the call");
    private static final LeaseKey LEASE = LeaseKey.ofRun("run");
    private static final StepKey STEP = StepKey.visit("charge", 1);
    private static final ApprovalUse USE = new ApprovalUse("ap", "run", DIGEST, STEP);

    private static final int USES = 40;

    private final Race race;

    ConsumeRaceTest(Race race) {
        this.race = race;
    }

    private static Consumption consume(Stores stores, Fence fence) {
        return stores.approvals().consume(USE, fence);
    }

    private static Consumption dispatch(Stores stores, Fence fence) {
        return stores.approvals().dispatch(ApprovedCall.of(USE, EffectClass.IDEMPOTENT), fence);
    }

    private static Ruling approve(Stores stores) {
        return stores.approvals().decide("ap", Decision.approve(DIGEST, "ann"));
    }

    private static Ruling reject(Stores stores) {
        return stores.approvals().decide("ap", Decision.reject(DIGEST, "bob", "no"));
    }

    private static Withdrawal withdraw(Stores stores) {
        return stores.approvals().withdraw("ap", "ops", "");
    }

    /** A run at work, and what it asked for. */
    private Fence asked() {
        var opened = (Opened.Done)
                race.stores.journal().open(NewRun.of("run", RunKind.AGENT, "digest", "{}"), "worker", Race.TTL);
        assertThat(race.stores.approvals().register(REQUEST)).isInstanceOf(Registration.Registered.class);
        return opened.lease().fence();
    }

    private Fence approved() {
        Fence fence = asked();
        assertThat(approve(race.stores)).isInstanceOf(Ruling.Decided.class);
        return fence;
    }

    private ApprovalState state() {
        return race.stores.approvals().find("ap").map(Approval::state).orElseThrow();
    }

    private <T> Background<T> waiting(Function<Stores, T> call) {
        Background<T> waiting = race.inBackground(() -> call.apply(race.stores));
        race.awaitBlocked(waiting);
        return waiting;
    }

    private static void assertDone(Consumption answer) {
        assertThat(answer).isInstanceOfAny(Consumed.class, Dispatched.class);
    }

    @Test
    void aConsumerThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnHasTheApproval() {
        assertBeatsBehind("approval", "ap", ConsumeRaceTest::consume);
    }

    @Test
    void aConsumerThatWaitedForTheRunWhileTheHeartbeatWentOnHasTheApproval() {
        assertBeatsBehind("execution", "run", ConsumeRaceTest::consume);
    }

    @Test
    void aDispatchThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnEntersTheCall() {
        assertBeatsBehind("approval", "ap", ConsumeRaceTest::dispatch);
    }

    private void assertBeatsBehind(String table, String id, BiFunction<Stores, Fence, Consumption> call) {
        Fence fence = approved();
        assertDone(race.outliving(LEASE, fence, table, id, () -> call.apply(race.stores, fence)));
    }

    @Test // the same fence, in two hands: whoever pauses gives the lease back for both
    void aConsumerThatWaitedForACommitThatPausedTheRunHasNothing() {
        assertNothingBehind(RunStatus.PAUSED, ConsumeRaceTest::consume);
    }

    @Test
    void aConsumerThatWaitedForACommitThatEndedTheRunHasNothing() {
        assertNothingBehind(RunStatus.COMPLETED, ConsumeRaceTest::consume);
    }

    @Test
    void aDispatchThatWaitedForACommitThatPausedTheRunEntersNothing() {
        assertNothingBehind(RunStatus.PAUSED, ConsumeRaceTest::dispatch);
    }

    private void assertNothingBehind(RunStatus status, BiFunction<Stores, Fence, Consumption> call) {
        Fence fence = approved();
        Caller first = race.caller();
        JournalCommit commit = JournalCommit.toAny("run").status(status).build();
        assertThat(first.stores.journal().commit(fence, commit)).isInstanceOf(Committed.Done.class);
        Background<Consumption> waiting = waiting(stores -> call.apply(stores, fence));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new FenceLost(Loss.NONE));
        race.assertStands(stood);
    }

    @Test // who sees what became of the approval sees as well what was done with that
    void aConsumerThatWaitedForAChangeWithWhichTheLeaseWasGivenBackHasNothing() {
        assertNothingBehindAChange(ConsumeRaceTest::consume);
    }

    @Test
    void aDispatchThatWaitedForAChangeWithWhichTheLeaseWasGivenBackEntersNothing() {
        assertNothingBehindAChange(ConsumeRaceTest::dispatch);
    }

    private void assertNothingBehindAChange(BiFunction<Stores, Fence, Consumption> call) {
        Fence fence = approved();
        Rival rival = race.rival()
                .update("approval", "ap", "heard = true")
                .update("lease", "run", "owner = null, expires_at = clock_timestamp()");
        Background<Consumption> waiting = waiting(stores -> call.apply(stores, fence));
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new FenceLost(Loss.NONE));
        race.assertStands(stood);
    }

    @Test // what is written is not judged as of before the decision, by the checks of the table neither
    void aConsumerThatWaitedForTheDecisionHasTheApproval() {
        assertDoneBehindTheDecision(ConsumeRaceTest::consume);
    }

    @Test
    void aDispatchThatWaitedForTheDecisionEntersTheCall() {
        assertDoneBehindTheDecision(ConsumeRaceTest::dispatch);
    }

    private void assertDoneBehindTheDecision(BiFunction<Stores, Fence, Consumption> call) {
        Fence fence = asked();
        Caller first = race.caller();
        approve(first.stores);
        Background<Consumption> waiting = waiting(stores -> call.apply(stores, fence));
        first.commit();
        assertDone(waiting.result());
    }

    @Test // parts of one run, side by side under one fence
    void whoUsesApprovalsAmongManyWhoCommitHasThem() {
        Fence fence = asked();
        for (int use = 1; use <= USES; use++) {
            race.stores.approvals().register(ApprovalRequest.of("ap-" + use, "run", "the call", Expiry.DEFAULT));
            race.stores.approvals().decide("ap-" + use, Decision.approve(DIGEST, "ann"));
        }
        JournalCommit commit =
                JournalCommit.toAny("run").event(JournalEvent.of("{}")).build();
        AtomicBoolean over = new AtomicBoolean();
        List<Background<Committed>> others = new ArrayList<>();
        for (int other = 0; other < 8; other++) {
            others.add(race.inBackground(() -> {
                Committed last = race.stores.journal().commit(fence, commit);
                while (!over.get() && last instanceof Committed.Done) {
                    last = race.stores.journal().commit(fence, commit);
                }
                return last;
            }));
        }
        try {
            for (int use = 1; use <= USES; use++) {
                ApprovalUse of = new ApprovalUse("ap-" + use, "run", DIGEST, StepKey.visit("charge", use));
                assertDone(
                        use % 2 == 0
                                ? race.stores.approvals().consume(of, fence)
                                : race.stores.approvals().dispatch(ApprovedCall.of(of, EffectClass.IDEMPOTENT), fence));
            }
        } finally {
            over.set(true);
        }
        assertThat(others).extracting(Background::result).hasOnlyElementsOfType(Committed.Done.class);
    }

    @Test
    void aDispatchThatWaitedForARejectionEntersNothing() {
        Fence fence = asked();
        Caller first = race.caller();
        reject(first.stores);
        Background<Consumption> waiting = waiting(stores -> dispatch(stores, fence));
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Consumption.Rejected.class);
        race.assertStands(stood);
    }

    @Test
    void aDecisionThatWaitedForAWithdrawalIsNone() {
        asked();
        Caller first = race.caller();
        withdraw(first.stores);
        Background<Ruling> waiting = waiting(ConsumeRaceTest::approve);
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Ruling.Withdrawn.class);
        race.assertStands(stood);
    }

    @Test
    void aWithdrawalThatWaitedForARejectionComesTooLate() {
        asked();
        Caller first = race.caller();
        reject(first.stores);
        Background<Withdrawal> waiting = waiting(ConsumeRaceTest::withdraw);
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Withdrawal.Settled.class);
        race.assertStands(stood);
    }

    @Test
    void aDecisionThatWaitedForTheLapseIsNone() {
        asked();
        race.expire("approval", "ap");
        Caller first = race.caller();
        assertThat(first.stores.approvals().withdrawExpired(10))
                .extracting(ApprovalPage.Line::id)
                .containsExactly("ap");
        Background<Ruling> waiting = waiting(ConsumeRaceTest::approve);
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Ruling.Withdrawn.class);
        race.assertStands(stood);
    }

    @Test
    void aDecisionThatWaitedForALapseThatWasTakenBackHearsThatItsTimeIsOver() {
        asked();
        race.expire("approval", "ap");
        Caller first = race.caller();
        first.stores.approvals().withdrawExpired(10);
        Background<Ruling> waiting = waiting(ConsumeRaceTest::approve);
        first.rollback();
        assertThat(waiting.result()).isInstanceOf(Ruling.Expired.class);
    }

    @Test
    void aDispatchThatIsTakenBackToASavepointIsMadeAgain() {
        Fence fence = approved();
        Caller caller = race.caller().run("savepoint before");
        assertThat(dispatch(caller.stores, fence)).isInstanceOf(Dispatched.class);
        caller.run("rollback to savepoint before");
        assertThat(dispatch(caller.stores, fence)).isInstanceOf(Dispatched.class);
        assertThat(dispatch(caller.stores, fence))
                .isInstanceOfSatisfying(
                        AlreadyConsumed.class, again -> assertThat(again.same()).isTrue());
        caller.commit();
        assertThat(race.value("select steps || ' ' || effects || ' ' || events from holdfast.execution"
                        + " where scope = :scope"))
                .isEqualTo("1 1 1");
    }

    @Test
    void whatIsDecidedAndTakenBackToASavepointIsDecidedAnew() {
        asked();
        Caller caller = race.caller().run("savepoint before");
        assertThat(approve(caller.stores)).isInstanceOf(Ruling.Decided.class);
        caller.run("rollback to savepoint before");
        assertThat(reject(caller.stores)).isInstanceOf(Ruling.Decided.class);
        caller.commit();
        assertThat(state()).isEqualTo(ApprovalState.REJECTED);
    }

    @Test // the clock may have been set back since the run was written
    void theEventOfADispatchIsNeverEarlierThanTheOneBeforeIt() {
        Fence fence = approved();
        race.sql("update holdfast.execution set updated_at = clock_timestamp() + interval '1 hour', events = 1"
                + " where scope = :scope");
        race.sql("insert into holdfast.execution_event (scope, run_id, sequence, type, payload, at)"
                + " select scope, id, 1, 'x', '{}', updated_at from holdfast.execution where scope = :scope");
        assertThat(dispatch(race.stores, fence)).isInstanceOf(Dispatched.class);
        assertThat(race.holds("select count(*) = 2 and count(distinct at) = 1 from holdfast.execution_event"
                        + " where scope = :scope"))
                .isTrue();
    }

    @Test
    void atAHigherIsolationADecisionBehindAnotherIsTypedAndRetryable() {
        asked();
        assertLost(() -> reject(race.stores), ConsumeRaceTest::approve);
    }

    @Test
    void atAHigherIsolationAWithdrawalBehindADecisionIsTypedAndRetryable() {
        asked();
        assertLost(() -> reject(race.stores), ConsumeRaceTest::withdraw);
    }

    @Test
    void atAHigherIsolationADispatchBehindACommitIsTypedAndRetryable() {
        Fence fence = approved();
        JournalCommit commit = JournalCommit.toAny("run").cursor("x").build();
        assertLost(() -> race.stores.journal().commit(fence, commit), stores -> dispatch(stores, fence));
    }

    @Test
    void atAHigherIsolationAConsumerBehindAnotherIsTypedAndRetryable() {
        Fence fence = approved();
        assertLost(() -> consume(race.stores, fence), stores -> consume(stores, fence));
    }

    @Test
    void atAHigherIsolationATwinOfWhatWasRegisteredMeanwhileIsTypedAndRetryable() {
        assertLost(
                () -> race.stores.approvals().register(REQUEST),
                stores -> stores.approvals().register(REQUEST));
    }

    private void assertLost(Runnable meanwhile, Function<Stores, ?> call) {
        Caller caller = race.caller().isolated("repeatable read").run("select count(*) from holdfast.lease");
        meanwhile.run();
        String before = race.dump();
        assertThatThrownBy(() -> call.apply(caller.stores))
                .isInstanceOfSatisfying(
                        TransactionLostException.class,
                        e -> assertThat(e.retryable()).isTrue());
        caller.rollback();
        race.assertStands(before);
    }
}
