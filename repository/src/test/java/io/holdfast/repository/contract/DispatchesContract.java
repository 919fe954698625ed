package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Consumption.NotEntered;
import io.holdfast.approval.Consumption.Obstacle;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An approval that is consumed together with the journal's entry of the call. */
abstract class DispatchesContract extends Contract {

    private static final String RUN = "run-1";
    private static final StepKey STEP = new StepKey("charge#3");
    private static final String DIGEST = CallDigest.of("the call");

    DispatchesContract(Environment environment) {
        super(environment);
    }

    private void run(String id, String status) {
        environment.changeRow(
                "insert into {execution} (scope, id, kind, origin, definition_digest, status, watched, state, state_version,"
                        + " steps, effects, events) values (?, ?, 'workflow', '{}', 'd', ?, false, '{}', 2, 4, 7, 9)",
                scope.id(),
                id,
                status);
    }

    private void approved(String id) {
        approvals.register(ApprovalRequest.of(id, RUN, "the call", Expiry.DEFAULT));
        approvals.decide(id, Decision.approve(DIGEST, "ann"));
    }

    private Fence ready() {
        run(RUN, "paused");
        approved("ap-1");
        return held();
    }

    private Fence held() {
        return granted(LeaseKey.ofRun(RUN), "worker", MINUTE).fence();
    }

    private static ApprovedCall call(String approval, StepKey step) {
        return ApprovedCall.of(new ApprovalUse(approval, RUN, DIGEST, step), EffectClass.NON_IDEMPOTENT);
    }

    private Approval dispatched(ApprovedCall call, Fence fence) {
        return ((Consumption.Dispatched) approvals.dispatch(call, fence)).approval();
    }

    private String entries() {
        String scoped = scope.id();
        return environment.value("""
                select concat_ws(' ',
                  (select concat_ws(',', status, watched, revision, steps, effects, events) from {execution}
                    where scope = ? and id = 'run-1'),
                  (select string_agg(concat_ws(',', ordinal, step_key, payload_digest, idempotency_key, effect_class, approval_id,
                                               reservations, outcome), ' ' order by ordinal)
                     from {execution_step} where scope = ? and run_id = 'run-1'),
                  (select string_agg(concat_ws(',', ordinal, step_key, index, effect_id, idempotency_key, status), ' '
                                     order by ordinal) from {execution_effect} where scope = ? and run_id = 'run-1'),
                  (select string_agg(concat_ws(',', sequence, type, payload), ' ' order by sequence)
                     from {execution_event} where scope = ? and run_id = 'run-1'))
                """, scoped, scoped, scoped, scoped);
    }

    @Test
    void aDispatchConsumesTheApprovalAndEntersTheCall() {
        Fence fence = ready();
        Approval consumed = dispatched(call("ap-1", STEP), fence);
        assertThat(consumed.state()).isEqualTo(ApprovalState.CONSUMED);
        assertThat(consumed.use().orElseThrow().step()).isEqualTo(STEP.text());
        assertThat(consumed.use().orElseThrow().token()).isEqualTo(fence.token());
        assertThat(approvals.find("ap-1")).contains(consumed);
        EffectId effect = EffectId.of(scope, RUN, STEP, 0);
        String key = effect.idempotencyKey();
        assertThat(entries())
                .isEqualTo(
                        "running,t,2,5,8,10"
                                + " 5,charge#3," + DIGEST + "," + key + ",non_idempotent,ap-1,[]"
                                + " 8,charge#3,0," + effect.hex() + "," + key + ",pending"
                                + " 10,approval_consumed,{\"approval_id\":\"ap-1\",\"step_key\":\"charge#3\",\"type\":\"approval_consumed\"}");
    }

    @Test
    void aDispatchGoesOutUnderTheKeyThatItIsGiven() {
        Fence fence = ready();
        ApprovalUse use = new ApprovalUse("ap-1", RUN, DIGEST, STEP);
        dispatched(new ApprovedCall(use, EffectClass.IDEMPOTENT, Optional.of("my key")), fence);
        assertThat(entries()).contains(",my key,idempotent,", ",my key,pending");
    }

    @Test // J7
    void aDispatchThatIsRepeatedEntersNothingMore() {
        Fence fence = ready();
        Approval consumed = dispatched(call("ap-1", STEP), fence);
        String entered = entries();
        Consumption again = new Consumption.AlreadyConsumed(consumed, true);
        assertThat(approvals.dispatch(call("ap-1", STEP), fence)).isEqualTo(again);
        assertThat(approvals.dispatch(call("ap-1", STEP), held())).isEqualTo(again);
        assertThat(approvals.dispatch(call("ap-1", STEP), fence)).isEqualTo(again); // its lease is another's by now
        assertThat(approvals.dispatch(call("ap-1", STEP.withAttempt(2)), held()))
                .isEqualTo(new Consumption.AlreadyConsumed(consumed, false));
        assertThat(entries()).isEqualTo(entered);
    }

    @Test // J7: the journal knows the intent as its own
    void anEngineGoesOnFromWhatADispatchAnswered() {
        Fence fence = ready();
        RunHead head = ((Consumption.Dispatched) approvals.dispatch(call("ap-1", STEP), fence)).run();
        assertThat(head.revision()).isEqualTo(2);
        assertThat(head.events()).isEqualTo(10);
        String key = EffectId.of(scope, RUN, STEP, 0).idempotencyKey();
        JournalCommit end = JournalCommit.to(head)
                .intent(Intent.of(STEP, DIGEST, key, EffectClass.NON_IDEMPOTENT).under("ap-1"))
                .outcome(StepOutcome.completed(STEP, "1"))
                .effect(EffectEntry.confirmed(STEP, 0))
                .build();
        Committed done = environment.perform(
                () -> environment.holdfast().in(scope).journal().commit(fence, end));
        assertThat(done)
                .isInstanceOfSatisfying(
                        Committed.Done.class,
                        answer -> assertThat(answer.head().revision()).isEqualTo(3));
        RunSnapshot run = environment.perform(
                () -> environment.holdfast().in(scope).journal().find(RUN).orElseThrow());
        assertThat(run.effects()).extracting(Effect::status).containsExactly(EffectStatus.CONFIRMED);
    }

    @Test
    void aCommitOfTheSameContentBehindADispatchIsNoRepeat() {
        Fence fence = ready();
        RunHead head = ((Committed.Done) commit(fence, entry().cursor("x"))).head();
        assertThat(approvals.dispatch(call("ap-1", STEP), fence)).isInstanceOf(Consumption.Dispatched.class);
        assertThat(commit(fence, JournalCommit.to(head).cursor("x")))
                .isEqualTo(new Committed.RevisionConflict(head.revision() + 1));
    }

    @Test
    void twoApprovalsOfARunAreEnteredOneAfterTheOther() {
        Fence fence = ready();
        approved("ap-2");
        dispatched(call("ap-1", STEP), fence);
        dispatched(call("ap-2", STEP.withItem(1)), fence);
        assertThat(entries())
                .startsWith("running,t,3,6,9,11 5,charge#3,")
                .contains(" 6,charge#3[1],", " 9,charge#3[1],0,");
    }

    @Test // W10, W11, W14, A12, A13
    void whatMayNotBeConsumedIsNotEntered() {
        run(RUN, "running");
        String nothing = entries();
        Fence fence = held();
        assertThat(approvals.dispatch(call("ap-1", STEP), fence)).isEqualTo(new Consumption.NotFound());
        approvals.register(ApprovalRequest.of("ap-1", RUN, "the call", Expiry.DEFAULT));
        assertThat(approvals.dispatch(call("ap-1", STEP), fence)).isInstanceOf(Consumption.Undecided.class);
        approvals.decide("ap-1", Decision.reject(DIGEST, "ann", ""));
        assertThat(approvals.dispatch(call("ap-1", STEP), fence)).isInstanceOf(Consumption.Rejected.class);
        assertThat(approvals.dispatch(call("ap-1", STEP), held())).isInstanceOf(Consumption.Rejected.class);
        assertThat(approvals.dispatch(call("ap-1", STEP), fence)).isEqualTo(new Consumption.FenceLost(Loss.SUPERSEDED));
        approved("ap-2");
        ApprovalUse other = new ApprovalUse("ap-2", RUN, CallDigest.of("another call"), STEP);
        assertThat(approvals.dispatch(ApprovedCall.of(other, EffectClass.IDEMPOTENT), held()))
                .isEqualTo(new Consumption.Mismatch());
        environment.changeRow(
                "update {approval} set expires_at = clock_timestamp() where scope = ? and id = 'ap-2'", scope.id());
        assertThat(approvals.dispatch(call("ap-2", STEP), held())).isInstanceOf(Consumption.Expired.class);
        approvals.withdraw("ap-2", "ann", "");
        assertThat(approvals.dispatch(call("ap-2", STEP), held())).isInstanceOf(Consumption.Withdrawn.class);
        leases.release(LeaseKey.ofRun(RUN), held());
        assertThat(approvals.dispatch(call("ap-2", STEP), fence)).isEqualTo(new Consumption.FenceLost(Loss.NONE));
        assertThat(entries()).isEqualTo(nothing);
    }

    @Test
    void whatTheJournalDoesNotTakeConsumesNothing() {
        approved("ap-1");
        Fence fence = held();
        refused(Obstacle.NO_RUN, call("ap-1", STEP), fence);
        run(RUN, "completed");
        refused(Obstacle.RUN_ENDED, call("ap-1", STEP), fence);
        set("status = 'failed'");
        refused(Obstacle.RUN_ENDED, call("ap-1", STEP), fence);
        set("status = 'interrupted', watched = true, journal_version = 2");
        refused(Obstacle.RUN_NEWER, call("ap-1", STEP), fence);
        set("journal_version = 1");
        approved("ap-2");
        dispatched(call("ap-2", STEP), fence);
        refused(Obstacle.STEP_TAKEN, call("ap-1", STEP), fence);
        String taken = EffectId.of(scope, RUN, STEP, 0).idempotencyKey();
        ApprovalUse use = new ApprovalUse("ap-1", RUN, DIGEST, STEP.withAttempt(2));
        refused(Obstacle.KEY_TAKEN, new ApprovedCall(use, EffectClass.IDEMPOTENT, Optional.of(taken)), fence);
        dispatched(call("ap-1", STEP.withAttempt(2)), fence);
    }

    private void set(String assignments) {
        environment.changeRow(
                "update {execution} set " + assignments + " where scope = ? and id = 'run-1'", scope.id());
    }

    private void refused(Obstacle obstacle, ApprovedCall call, Fence fence) {
        assertThat(approvals.dispatch(call, fence)).isEqualTo(new NotEntered(obstacle));
    }

    private Committed commit(Fence fence, JournalCommit.Builder commit) {
        return environment.perform(
                () -> environment.holdfast().in(scope).journal().commit(fence, commit.build()));
    }

    private static JournalCommit.Builder entry() {
        return JournalCommit.toAny(RUN);
    }

    private Intent intent(StepKey step, String digest) {
        return Intent.of(step, digest, scope.id() + step, EffectClass.NON_IDEMPOTENT);
    }

    private Intent under(String approval, StepKey step) {
        return intent(step, DIGEST).under(approval);
    }

    private void notConsumed(Fence fence, Intent intent) {
        String before = entries();
        assertThat(commit(fence, entry().intent(intent).effect(intent.pending()).state("{\"a\":1}")))
                .isEqualTo(new Committed.ApprovalNotConsumed(
                        intent.step(), intent.approvalId().orElseThrow()));
        assertThat(entries()).isEqualTo(before);
    }

    private Consumption consumed(ApprovalUse use, Fence fence) {
        Consumption answer = approvals.consume(use, fence);
        assertThat(answer).isInstanceOf(Consumption.Consumed.class);
        return answer;
    }

    @Test // 3.7: the approval is consumed, and by this very step, or its intent is not written
    void theJournalTakesNoIntentUnderAnApprovalThatItsStepHasNotConsumed() {
        run(RUN, "running");
        Fence fence = held();
        Intent intent = under("ap-1", STEP);
        notConsumed(fence, intent);
        approvals.register(ApprovalRequest.of("ap-1", RUN, "the call", Expiry.DEFAULT));
        notConsumed(fence, intent);
        approvals.decide("ap-1", Decision.reject(DIGEST, "ann", ""));
        notConsumed(fence, intent);
        approved("ap-2");
        notConsumed(fence, under("ap-2", STEP));
        approvals.withdraw("ap-2", "ann", "");
        notConsumed(fence, under("ap-2", STEP));
    }

    @Test // single use, bound to the digest, of one run
    void theJournalTakesTheIntentOfTheStepThatConsumedTheApprovalAndNoOther() {
        run(RUN, "running");
        run("run-2", "running");
        Fence fence = held();
        approved("ap-1");
        consumed(new ApprovalUse("ap-1", RUN, DIGEST, STEP), fence);
        notConsumed(fence, under("ap-1", STEP.withAttempt(2)));
        notConsumed(fence, intent(STEP, CallDigest.of("another call")).under("ap-1"));
        Intent elsewhere = under("ap-1", STEP);
        Fence other = granted(LeaseKey.ofRun("run-2"), "worker", MINUTE).fence();
        assertThat(commit(other, JournalCommit.toAny("run-2").intent(elsewhere)))
                .isEqualTo(new Committed.ApprovalNotConsumed(STEP, "ap-1"));
        assertThat(commit(
                        fence,
                        entry().intent(under("ap-1", STEP))
                                .effect(under("ap-1", STEP).pending())
                                .intent(under("ap-1", STEP.withItem(1)))))
                .isEqualTo(new Committed.ApprovalNotConsumed(STEP.withItem(1), "ap-1"));
        assertThat(commit(
                        fence,
                        entry().intent(under("ap-1", STEP))
                                .effect(under("ap-1", STEP).pending())))
                .isInstanceOf(Committed.Done.class);
        assertThat(commit(fence, entry().intent(under("ap-1", STEP)).cursor("x")))
                .as("what is stored already")
                .isInstanceOf(Committed.Done.class);
    }

    @Test // leave for one call: a second effect only once the first is known not to have happened
    void aStepUnderAnApprovalHasNoSecondEffectWhileTheFirstMayHaveHappened() {
        Fence fence = ready();
        RunHead head = ((Consumption.Dispatched) approvals.dispatch(call("ap-1", STEP), fence)).run();
        JournalCommit.Builder second = JournalCommit.toAny(RUN).effect(EffectEntry.pending(STEP, 1, scope.id() + "-1"));
        Committed conflict = new Committed.EffectConflict(STEP, 1);
        assertThat(commit(fence, second)).isEqualTo(conflict);
        assertThat(commit(fence, JournalCommit.to(head).effect(EffectEntry.indeterminate(STEP, 0))))
                .isInstanceOf(Committed.Done.class);
        assertThat(commit(fence, second)).isEqualTo(conflict);
        environment.perform(() -> environment
                .holdfast()
                .in(scope)
                .journal()
                .resolveEffect(
                        fence,
                        RUN,
                        EffectId.of(scope, RUN, STEP, 0),
                        Resolution.of(Resolution.Finding.NOT_APPLIED, "ann")));
        assertThat(commit(
                        fence,
                        JournalCommit.toAny(RUN)
                                .effect(EffectEntry.pending(STEP, 1, scope.id() + "-1"))
                                .effect(EffectEntry.pending(STEP, 2, scope.id() + "-2"))))
                .as("two at once")
                .isEqualTo(conflict);
        assertThat(commit(fence, second)).isInstanceOf(Committed.Done.class);
        assertThat(commit(fence, JournalCommit.toAny(RUN).effect(EffectEntry.pending(STEP, 2, scope.id() + "-2"))))
                .isEqualTo(new Committed.EffectConflict(STEP, 2));
    }

    @Test
    void whatAPurgedRunConsumedIsNoLeaveForTheNextRunOfItsId() {
        run(RUN, "running");
        approved("ap-1");
        Fence fence = held();
        consumed(new ApprovalUse("ap-1", RUN, DIGEST, STEP), fence);
        commit(fence, entry().status(RunStatus.COMPLETED));
        environment.perform(() -> environment.holdfast().in(scope).journal().purge(Duration.ZERO, 10));
        notConsumed(opened("worker"), under("ap-1", STEP));
    }

    private Fence opened(String owner) {
        Opened answer = environment.perform(() -> environment
                .holdfast()
                .in(scope)
                .journal()
                .open(NewRun.of(RUN, RunKind.WORKFLOW, "d", "{}"), owner, MINUTE));
        return ((Opened.Done) answer).lease().fence();
    }

    @Test
    void whatItsOwnerConsumedUnderTheLeaseBeforeTheRunWasOpenedIsLeave() {
        approved("ap-1");
        consumed(new ApprovalUse("ap-1", RUN, DIGEST, STEP), held());
        Fence fence = opened("worker");
        assertThat(commit(fence, entry().intent(under("ap-1", STEP)))).isInstanceOf(Committed.Done.class);
    }

    @Test
    void whatWasConsumedUnderALeaseThatWasGivenBackBeforeTheRunWasOpenedIsNone() {
        approved("ap-1");
        Fence early = held();
        consumed(new ApprovalUse("ap-1", RUN, DIGEST, STEP), early);
        leases.release(LeaseKey.ofRun(RUN), early);
        notConsumed(opened("worker"), under("ap-1", STEP));
    }
}
