package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Consumption.AlreadyConsumed;
import io.holdfast.approval.Consumption.Consumed;
import io.holdfast.approval.Consumption.Dispatched;
import io.holdfast.approval.Consumption.FenceLost;
import io.holdfast.approval.Consumption.NotEntered;
import io.holdfast.approval.Consumption.Obstacle;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Stores;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Approvals that two want to decide, consume or take back at once. */
@ExtendWith(Race.Parameter.class)
class ApprovalRaceTest {

    private static final String AP = "ap";
    private static final String RUN = "run";
    private static final LeaseKey LEASE = LeaseKey.ofRun(RUN);
    private static final ApprovalRequest REQUEST = ApprovalRequest.of(AP, RUN, "the call", Expiry.DEFAULT);
    private static final String DIGEST = CallDigest.of("the call");
    private static final StepKey STEP = StepKey.visit("charge", 1);

    private final Race race;

    ApprovalRaceTest(Race race) {
        this.race = race;
    }

    private Approvals approvals() {
        return race.stores.approvals();
    }

    private void registered() {
        assertThat(approvals().register(REQUEST)).isInstanceOf(Registration.Registered.class);
    }

    /** An approved approval, a run that waits for it, and the lease of that. */
    private Fence approved() {
        registered();
        assertThat(approve(race.stores)).isInstanceOf(Ruling.Decided.class);
        run(RUN);
        return acquired(race.stores).fence();
    }

    private void run(String id) {
        race.sql("insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, watched, state,"
                + " state_version) values (:scope, '" + id + "', 'workflow', '{}', 'd', 'paused', false, '{}', 2)");
    }

    private static Lease acquired(Stores stores) {
        return Race.granted(stores.leases().acquire(LEASE, "a", Race.TTL));
    }

    private static Ruling approve(Stores stores) {
        return stores.approvals().decide(AP, Decision.approve(DIGEST, "ann"));
    }

    private static Ruling reject(Stores stores) {
        return stores.approvals().decide(AP, Decision.reject(DIGEST, "bob", "no"));
    }

    private static Consumption consume(Stores stores, StepKey step, Fence fence) {
        return stores.approvals().consume(new ApprovalUse(AP, RUN, DIGEST, step), fence);
    }

    private static Consumption dispatch(Stores stores, StepKey step, Fence fence) {
        ApprovalUse use = new ApprovalUse(AP, RUN, DIGEST, step);
        return stores.approvals().dispatch(ApprovedCall.of(use, EffectClass.NON_IDEMPOTENT), fence);
    }

    private Background<Consumption> consuming(Fence fence) {
        return blocked(race.inBackground(() -> consume(race.stores, STEP, fence)));
    }

    private Background<Consumption> dispatching(Fence fence) {
        return blocked(race.inBackground(() -> dispatch(race.stores, STEP, fence)));
    }

    private <T> Background<T> blocked(Background<T> call) {
        race.awaitBlockedOrDone(call);
        return call;
    }

    private static void assertNotFirst(Consumption answer, StepKey first) {
        assertThat(answer).isInstanceOfSatisfying(AlreadyConsumed.class, already -> {
            assertThat(already.same()).isEqualTo(first.equals(STEP));
            assertThat(already.approval().use().orElseThrow().step()).isEqualTo(first.text());
        });
    }

    @Test // A12, W9
    void ofTwoConsumersTheSecondHearsWhoWasFirst() {
        Fence fence = approved();
        Caller first = race.caller();
        assertThat(consume(first.stores, STEP.withAttempt(2), fence)).isInstanceOf(Consumed.class);
        Background<Consumption> waiting = consuming(fence);
        String stood = first.commit();
        assertNotFirst(waiting.result(), STEP.withAttempt(2));
        race.assertStands(stood);
    }

    @Test // A12, W9
    void ofTwoDispatchesTheSecondHearsWhoWasFirst() {
        Fence fence = approved();
        Caller first = race.caller();
        assertThat(dispatch(first.stores, STEP.withAttempt(2), fence)).isInstanceOf(Dispatched.class);
        Background<Consumption> waiting = dispatching(fence);
        String stood = first.commit();
        assertNotFirst(waiting.result(), STEP.withAttempt(2));
        race.assertStands(stood);
    }

    @Test
    void aTwinThatWaitedForTheFirstHearsThatItWasTheSame() {
        Fence fence = approved();
        Caller first = race.caller();
        assertThat(dispatch(first.stores, STEP, fence)).isInstanceOf(Dispatched.class);
        Background<Consumption> waiting = dispatching(fence);
        String stood = first.commit();
        assertNotFirst(waiting.result(), STEP);
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForOneThatGaveUpIsFirst() {
        Fence fence = approved();
        Caller first = race.caller();
        assertThat(dispatch(first.stores, STEP.withAttempt(2), fence)).isInstanceOf(Dispatched.class);
        Background<Consumption> waiting = dispatching(fence);
        first.rollback();
        assertThat(waiting.result()).isInstanceOf(Dispatched.class);
    }

    @Test // A10
    void aConsumerThatWaitedPastTheEndOfTheApprovalHasNothing() {
        Fence fence = approved();
        race.expireSoon("approval", AP);
        Rival rival = race.rival().lock("approval", AP);
        Background<Consumption> waiting = consuming(fence);
        race.awaitExpired("approval", AP);
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOf(Consumption.Expired.class);
        race.assertStands(stood);
    }

    @Test // A10
    void aDispatchThatWaitedPastTheEndOfTheApprovalEntersNothing() {
        Fence fence = approved();
        race.expireSoon("approval", AP);
        Rival rival = race.rival().lock("execution", RUN);
        Background<Consumption> waiting = dispatching(fence);
        race.awaitExpired("approval", AP);
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOf(Consumption.Expired.class);
        race.assertStands(stood);
    }

    @Test
    void aConsumerThatWaitedPastTheEndOfItsLeaseHasNothing() {
        Fence fence = approved();
        race.expireSoon("lease", RUN);
        Rival rival = race.rival().lock("approval", AP);
        Background<Consumption> waiting = consuming(fence);
        race.awaitExpired("lease", RUN);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new FenceLost(Loss.EXPIRED));
        race.assertStands(stood);
    }

    @Test
    void aDispatchThatWaitedPastTheEndOfItsLeaseEntersNothing() {
        Fence fence = approved();
        race.expireSoon("lease", RUN);
        Rival rival = race.rival().lock("approval", AP);
        Background<Consumption> waiting = dispatching(fence);
        race.awaitExpired("lease", RUN);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new FenceLost(Loss.EXPIRED));
        race.assertStands(stood);
    }

    @Test
    void aConsumerThatWaitedForATakeoverIsRefused() {
        assertSuperseded(this::consuming, "b");
    }

    @Test
    void aConsumerThatWaitedForARestartOfItsOwnerIsRefused() {
        assertSuperseded(this::consuming, "a");
    }

    @Test
    void aDispatchThatWaitedForATakeoverIsRefused() {
        assertSuperseded(this::dispatching, "b");
    }

    @Test
    void aDispatchThatWaitedForARestartOfItsOwnerIsRefused() {
        assertSuperseded(this::dispatching, "a");
    }

    private void assertSuperseded(Function<Fence, Background<Consumption>> use, String owner) {
        Fence fence = approved();
        if (!owner.equals("a")) {
            race.expire("lease", RUN);
        }
        Caller successor = race.caller();
        Race.granted(successor.stores.leases().acquire(LEASE, owner, Race.TTL));
        Background<Consumption> waiting = use.apply(fence);
        String stood = successor.commit();
        assertThat(waiting.result()).isEqualTo(new FenceLost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aConsumerThatWaitsForTheApprovalCannotBeOvertakenByATakeover() {
        Fence fence = approved();
        Rival rival = race.rival().lock("approval", AP);
        assertNotOvertaken(consuming(fence), rival);
    }

    @Test
    void aDispatchThatWaitsForTheApprovalCannotBeOvertakenByATakeover() {
        Fence fence = approved();
        Rival rival = race.rival().lock("approval", AP);
        assertNotOvertaken(dispatching(fence), rival);
    }

    private void assertNotOvertaken(Background<Consumption> waiting, Rival rival) {
        Background<Lease> successor = blocked(race.inBackground(() -> acquired(race.stores)));
        rival.rollback();
        assertThat(waiting.result()).isInstanceOfAny(Consumed.class, Dispatched.class);
        Approval consumed = approvals().find(AP).orElseThrow();
        assertThat(consumed.use().orElseThrow().at())
                .as("consumed under token 1 before token 2 was granted")
                .isBefore(successor.result().grantedAt());
    }

    @Test
    void aHeartbeatRunsDuringAnOpenConsumption() {
        Fence fence = approved();
        Caller business = race.caller();
        assertThat(consume(business.stores, STEP, fence)).isInstanceOf(Consumed.class);
        assertBeats(fence);
        business.commit();
    }

    @Test
    void aHeartbeatRunsDuringAnOpenDispatch() {
        Fence fence = approved();
        Caller business = race.caller();
        assertThat(dispatch(business.stores, STEP, fence)).isInstanceOf(Dispatched.class);
        assertBeats(fence);
        business.commit();
    }

    private void assertBeats(Fence fence) {
        assertThat(race.withoutWaiting(() -> race.stores.leases().renew(LEASE, fence)))
                .isInstanceOf(Renewal.Renewed.class);
    }

    @Test // W14
    void ofAnApprovalAndARejectionTheFirstStands() {
        registered();
        Caller first = race.caller();
        assertThat(reject(first.stores)).isInstanceOf(Ruling.Decided.class);
        Background<Ruling> waiting = blocked(race.inBackground(() -> approve(race.stores)));
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOfSatisfying(Ruling.AlreadyDecided.class, answer -> {
            assertThat(answer.same()).isFalse();
            assertThat(answer.approval().state()).isEqualTo(ApprovalState.REJECTED);
        });
        race.assertStands(stood);
    }

    @Test // W12
    void aDecisionThatWaitedPastTheEndOfTheApprovalIsNone() {
        registered();
        race.expireSoon("approval", AP);
        Rival rival = race.rival().lock("approval", AP);
        Background<Ruling> waiting = blocked(race.inBackground(() -> approve(race.stores)));
        race.awaitExpired("approval", AP);
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOf(Ruling.Expired.class);
        race.assertStands(stood);
    }

    @Test
    void aConsumerThatWaitedForAWithdrawalHasNothing() {
        Fence fence = approved();
        Caller first = race.caller();
        first.stores.approvals().withdraw(AP, "ops", "");
        Background<Consumption> waiting = consuming(fence);
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Consumption.Withdrawn.class);
        race.assertStands(stood);
    }

    @Test
    void aDispatchThatWaitedForAWithdrawalEntersNothing() {
        Fence fence = approved();
        Caller first = race.caller();
        first.stores.approvals().withdraw(AP, "ops", "");
        Background<Consumption> waiting = dispatching(fence);
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Consumption.Withdrawn.class);
        race.assertStands(stood);
    }

    @Test
    void aDispatchThatWaitedForAConsumerEntersNothing() {
        Fence fence = approved();
        Caller first = race.caller();
        assertThat(consume(first.stores, STEP.withAttempt(2), fence)).isInstanceOf(Consumed.class);
        Background<Consumption> waiting = dispatching(fence);
        String stood = first.commit();
        assertNotFirst(waiting.result(), STEP.withAttempt(2));
        race.assertStands(stood);
    }

    @Test // the run before its approval, whoever comes
    void whoConsumesAndThenEntersTheCallDoesNotDeadlockWithADispatch() {
        Fence fence = approved();
        Caller first = race.caller();
        assertThat(consume(first.stores, STEP.withAttempt(2), fence)).isInstanceOf(Consumed.class);
        Background<Consumption> waiting = dispatching(fence);
        Intent intent = Intent.of(STEP.withAttempt(2), DIGEST, race.scope.id() + "-key", EffectClass.NON_IDEMPOTENT)
                .under(AP);
        JournalCommit entry =
                JournalCommit.toAny(RUN).intent(intent).effect(intent.pending()).build();
        Background<Committed> entering =
                blocked(race.inBackground(first, () -> first.stores.journal().commit(fence, entry)));
        assertThat(entering.isDone()).as("waits for nobody").isTrue();
        assertThat(entering.result()).isInstanceOf(Committed.Done.class);
        String stood = first.commit();
        assertNotFirst(waiting.result(), STEP.withAttempt(2));
        race.assertStands(stood);
    }

    @Test
    void ofTwoWithdrawalsTheFirstStands() {
        registered();
        Caller first = race.caller();
        first.stores.approvals().withdraw(AP, "ann", "");
        Background<Withdrawal> waiting =
                blocked(race.inBackground(() -> approvals().withdraw(AP, "ops", "")));
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Withdrawal.AlreadyWithdrawn.class);
        race.assertStands(stood);
    }

    @Test
    void aWithdrawalThatWaitedForAConsumerComesTooLate() {
        Fence fence = approved();
        Caller first = race.caller();
        consume(first.stores, STEP, fence);
        Background<Withdrawal> waiting =
                blocked(race.inBackground(() -> approvals().withdraw(AP, "ops", "")));
        String stood = first.commit();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Withdrawal.Settled.class,
                        answer -> assertThat(answer.approval().state()).isEqualTo(ApprovalState.CONSUMED));
        race.assertStands(stood);
    }

    @Test
    void aTwinThatWaitedForTheRegistrationFindsIt() {
        Caller first = race.caller();
        first.stores.approvals().register(REQUEST);
        Background<Registration> waiting =
                blocked(race.inBackground(() -> approvals().register(REQUEST)));
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Registration.AlreadyRegistered.class);
        race.assertStands(stood);
    }

    @Test
    void anApprovalThatWaitedForARivalsLostInsertHasItsWholeTime() {
        Caller rival = race.caller();
        rival.stores.approvals().register(REQUEST);
        ApprovalRequest request = ApprovalRequest.of(AP, RUN, "the call", Expiry.after(Race.TWO_SECONDS));
        Registration answer = race.afterALostInsert(rival, () -> approvals().register(request));
        race.assertWhole("approval", AP);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Registration.Registered.class,
                        registered -> assertThat(approvals().find(AP)).contains(registered.approval()));
    }

    @Test // a time that was told to somebody does not move
    void anApprovalUntilATimeThatWaitedForARivalsLostInsertIsGoodUntilThen() {
        Caller rival = race.caller();
        rival.stores.approvals().register(REQUEST);
        Instant until = Instant.parse("2020-01-01T00:00:00Z");
        ApprovalRequest request = ApprovalRequest.of(AP, RUN, "the call", Expiry.at(until));
        Background<Registration> waiting =
                blocked(race.inBackground(() -> approvals().register(request)));
        rival.rollback();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Registration.Registered.class,
                        registered ->
                                assertThat(registered.approval().expiresAt()).contains(until));
    }

    @Test
    void whatIsJustBeingConsumedIsNotWaitedForWhenWhatIsOverIsWithdrawn() {
        Fence fence = approved();
        race.expireSoon("approval", AP);
        Caller first = race.caller();
        assertThat(consume(first.stores, STEP, fence)).isInstanceOf(Consumed.class);
        race.awaitExpired("approval", AP);
        race.sql("insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, expires_at)"
                + " select scope, 'over', run_id, payload, digest, 'pending', created_at, created_at"
                + " from holdfast.approval where scope = :scope");
        List<ApprovalPage.Line> withdrawn =
                race.withoutWaiting(() -> approvals().withdrawExpired(10));
        assertThat(withdrawn).extracting(ApprovalPage.Line::id).containsExactly("over");
        first.commit();
        assertThat(approvals().find(AP).map(Approval::state)).contains(ApprovalState.CONSUMED);
    }

    @Test
    void aStepThatWasEnteredMeanwhileIsNotEnteredTwice() {
        Fence fence = approved();
        Rival rival = race.rival()
                .update("execution", RUN, "revision = revision + 1, steps = steps + 1")
                .run("insert into holdfast.execution_step (scope, run_id, ordinal, step_key, outcome, output, ended_at)"
                        + " values (:scope, 'run', 1, '" + STEP.text() + "', 'completed', '{}', clock_timestamp())");
        Background<Consumption> waiting = dispatching(fence);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new NotEntered(Obstacle.STEP_TAKEN));
        race.assertStands(stood);
    }

    @Test
    void aRunThatEndedMeanwhileTakesNoEntry() {
        Fence fence = approved();
        Rival rival = race.rival().update("execution", RUN, "revision = revision + 1, status = 'completed'");
        Background<Consumption> waiting = dispatching(fence);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new NotEntered(Obstacle.RUN_ENDED));
        race.assertStands(stood);
    }

    @Test // J19
    void anIdempotencyKeyThatAnotherRunTookMeanwhileIsNotTakenTwice() {
        Fence fence = approved();
        run("another");
        String key = EffectId.of(race.scope, RUN, STEP, 0).idempotencyKey();
        Rival rival = race.rival()
                .run("insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id,"
                        + " idempotency_key, status, created_at, updated_at) values (:scope, 'another', 1, 'x#1', 0, '"
                        + "0".repeat(64) + "', '" + key + "', 'pending', clock_timestamp(), clock_timestamp())");
        Background<Consumption> waiting = dispatching(fence);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new NotEntered(Obstacle.KEY_TAKEN));
        race.assertStands(stood);
    }
}
