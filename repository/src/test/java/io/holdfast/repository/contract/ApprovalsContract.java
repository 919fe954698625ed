package io.holdfast.repository.contract;

import static io.holdfast.approval.ApprovalState.APPROVED;
import static io.holdfast.approval.ApprovalState.CONSUMED;
import static io.holdfast.approval.ApprovalState.PENDING;
import static io.holdfast.approval.ApprovalState.REJECTED;
import static io.holdfast.approval.ApprovalState.WITHDRAWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Registration.Term;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Approvals: registered, decided once, consumed once. */
abstract class ApprovalsContract extends Contract {

    private static final String RUN = "run-1";
    private static final StepKey STEP = StepKey.visit("charge", 3);
    private static final Map<String, Object> CALL = Map.of("tool", "charge", "arguments", Map.of("cents", 4_200));
    private static final String DIGEST = CallDigest.of(CALL);
    private static final String OTHER_DIGEST = CallDigest.of("another call");

    ApprovalsContract(Environment environment) {
        super(environment);
    }

    private static ApprovalRequest request(String id) {
        return ApprovalRequest.of(id, RUN, CALL, Expiry.DEFAULT);
    }

    private Approval registered(ApprovalRequest request) {
        return ((Registration.Registered) approvals.register(request)).approval();
    }

    private Approval approved(String id) {
        registered(request(id));
        return ((Ruling.Decided) approvals.decide(id, Decision.approve(DIGEST, "ann"))).approval();
    }

    private Approval rejected(String id) {
        registered(request(id));
        return ((Ruling.Decided) approvals.decide(id, Decision.reject(DIGEST, "ann", "too much"))).approval();
    }

    private Fence held(String owner) {
        return granted(LeaseKey.ofRun(RUN), owner, MINUTE).fence();
    }

    private static ApprovalUse use(String id) {
        return new ApprovalUse(id, RUN, DIGEST, STEP);
    }

    private Approval consumed(String id, Fence fence) {
        return ((Consumption.Consumed) approvals.consume(use(id), fence)).approval();
    }

    private void overdue(String id) {
        environment.changeRow(
                "update {approval} set expires_at = clock_timestamp() where scope = ? and id = ?", scope.id(), id);
    }

    private Approval asStored(Approval approval) {
        return approvals.find(approval.id()).orElseThrow();
    }

    @Test
    void whatIsRegisteredIsKeptByteForByteAndWaits() {
        String payload = "{ \"b\" : 1.0,\"a\":\"\\u0000\u00e9\ud83d\ude00\" }";
        ApprovalRequest request = new ApprovalRequest("ap-1", RUN, payload, Optional.of("admin"), Expiry.after(MINUTE));
        Approval approval = registered(request);
        assertThat(approval.payload()).isEqualTo(payload);
        assertThat(approval.digest()).isEqualTo(CallDigest.ofText(payload)).isEqualTo(request.digest());
        assertThat(approval.run()).isEqualTo(RUN);
        assertThat(approval.role()).contains("admin");
        assertThat(approval.state()).isEqualTo(PENDING);
        assertThat(approval.expired()).isFalse();
        assertThat(approval.expiresAt()).contains(approval.createdAt().plus(MINUTE));
        assertThat(approval.decision()).isEmpty();
        assertThat(asStored(approval)).isEqualTo(approval);
    }

    @Test // A11
    void anIdenticalRegistrationIsARepeatAndOtherTermsAreRefused() {
        Instant at = Instant.parse("2030-01-01T00:00:00.123456Z");
        Approval first = registered(ApprovalRequest.of("ap-1", RUN, CALL, Expiry.at(at)));
        ApprovalRequest below = ApprovalRequest.of("ap-1", RUN, CALL, Expiry.at(at.plusNanos(900)));
        assertThat(approvals.register(below)).isEqualTo(new Registration.AlreadyRegistered(first));
        taken(Term.PAYLOAD, ApprovalRequest.of("ap-1", RUN, "another call", Expiry.at(at)));
        taken(Term.EXPIRY, ApprovalRequest.of("ap-1", RUN, CALL, Expiry.at(at.plusNanos(1_000))));
        taken(Term.EXPIRY, ApprovalRequest.of("ap-1", RUN, CALL, Expiry.NEVER));
        taken(Term.EXPIRY, ApprovalRequest.of("ap-1", RUN, CALL, Expiry.DEFAULT));
        taken(Term.RUN, ApprovalRequest.of("ap-1", "run-2", CALL, Expiry.at(at)));
        taken(Term.ROLE, ApprovalRequest.of("ap-1", RUN, CALL, Expiry.at(at)).decidedBy("admin"));
        assertThat(asStored(first)).isEqualTo(first);
    }

    private void taken(Term term, ApprovalRequest request) {
        assertThat(approvals.register(request)).isEqualTo(new Registration.Taken(term));
    }

    @Test // A11: nor does the repeat make it last longer
    void aRepeatedRegistrationDoesNotStartTheTimeAnew() {
        Approval first = registered(request("ap-1"));
        assertThat(approvals.register(request("ap-1"))).isEqualTo(new Registration.AlreadyRegistered(first));
        taken(Term.EXPIRY, ApprovalRequest.of("ap-1", RUN, CALL, Expiry.after(Duration.ofHours(2))));
    }

    @Test // A12
    void anIdenticalRegistrationIsARepeatAlsoOnceItIsConsumed() {
        approved("ap-1");
        Approval consumed = consumed("ap-1", held("worker"));
        assertThat(approvals.register(request("ap-1"))).isEqualTo(new Registration.AlreadyRegistered(consumed));
        assertThat(consumed.payload()).isEqualTo(request("ap-1").payload());
        assertThat(approvals.find("ap-1")).contains(consumed);
        assertThat(consumed.state()).isEqualTo(CONSUMED);
    }

    @Test // A1, W10, W13
    void whatIsNotThereIsNotFoundWhateverItIsCalled() {
        Fence fence = held("worker");
        for (String id : List.of("None", "ap-9", "", "\0", "x".repeat(1_025))) {
            assertThat(approvals.find(id)).isEmpty();
            assertThat(approvals.decide(id, Decision.approve(DIGEST, "ann"))).isEqualTo(new Ruling.NotFound());
            assertThat(approvals.withdraw(id, "ann", "")).isEqualTo(new Withdrawal.NotFound());
        }
        assertThat(approvals.consume(use("ap-9"), fence)).isEqualTo(new Consumption.NotFound()); // A13
    }

    @Test // W9
    void ofEightDecisionsOneIsMadeAndTheOthersHearWhich() {
        registered(request("ap-1"));
        Ruling first = approvals.decide("ap-1", Decision.approve(DIGEST, "ann"));
        assertThat(first).isInstanceOf(Ruling.Decided.class);
        Approval decided = ((Ruling.Decided) first).approval();
        assertThat(decided.state()).isEqualTo(APPROVED);
        assertThat(decided.decision().orElseThrow().decision()).isEqualTo(Decision.approve(DIGEST, "ann"));
        for (int i = 0; i < 7; i++) {
            assertThat(approvals.decide("ap-1", Decision.reject(DIGEST, "bob-" + i, "")))
                    .isEqualTo(new Ruling.AlreadyDecided(decided, false));
        }
        assertThat(asStored(decided)).isEqualTo(decided);
    }

    @Test
    void theSameDecisionAgainIsARepeat() {
        registered(request("ap-1").decidedBy("admin"));
        Decision decision = Decision.approve(DIGEST, "ann").as("admin").answering("{\"x\":1}");
        Approval decided = ((Ruling.Decided) approvals.decide("ap-1", decision)).approval();
        assertThat(approvals.decide("ap-1", decision)).isEqualTo(new Ruling.AlreadyDecided(decided, true));
        assertThat(approvals.decide("ap-1", decision.answering("{\"x\":2}")))
                .isEqualTo(new Ruling.AlreadyDecided(decided, false));
        assertThat(approvals.decide(
                        "ap-1", Decision.approve(DIGEST, "bob").as("admin").answering("{\"x\":1}")))
                .isEqualTo(new Ruling.AlreadyDecided(decided, false));
        consumed("ap-1", held("worker"));
        assertThat(approvals.decide("ap-1", decision))
                .isInstanceOfSatisfying(
                        Ruling.AlreadyDecided.class,
                        again -> assertThat(again.same()).isTrue());
    }

    @Test
    void whoDecidesAboutAnotherCallThanTheOneThatWaitsDecidesNothing() {
        registered(request("ap-1"));
        assertThat(approvals.decide("ap-1", Decision.approve(OTHER_DIGEST, "ann")))
                .isEqualTo(new Ruling.Mismatch());
    }

    @Test
    void aRoleThatIsAskedForHasToBeNamed() {
        registered(request("ap-1").decidedBy("admin"));
        Ruling wrong = new Ruling.WrongRole("admin");
        assertThat(approvals.decide("ap-1", Decision.approve(DIGEST, "ann"))).isEqualTo(wrong);
        assertThat(approvals.decide("ap-1", Decision.approve(DIGEST, "ann").as("user")))
                .isEqualTo(wrong);
        assertThat(approvals.decide("ap-1", Decision.approve(DIGEST, "ann").as("Admin")))
                .isEqualTo(wrong);
        assertThat(approvals.decide("ap-1", Decision.approve(DIGEST, "ann").as("admin")))
                .isInstanceOf(Ruling.Decided.class);
    }

    @Test // W11
    void whatIsOverIsNotDecided() {
        Instant past = environmentNow().minusNanos(1_000);
        Approval approval = registered(ApprovalRequest.of("ap-1", RUN, CALL, Expiry.at(past)));
        assertThat(approval.expired()).isTrue();
        assertThat(approvals.decide("ap-1", Decision.approve(DIGEST, "ann"))).isEqualTo(new Ruling.Expired(approval));
        assertThat(approvals.decide("ap-1", Decision.reject(DIGEST, "ann", "")))
                .isEqualTo(new Ruling.Expired(approval));
    }

    private Instant environmentNow() {
        return Instant.parse(environment.value(
                "select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
    }

    @Test // A13
    void whatWasApprovedAndIsOverIsNotConsumed() {
        approved("ap-1");
        overdue("ap-1");
        assertThat(approvals.consume(use("ap-1"), held("worker")))
                .isInstanceOfSatisfying(Consumption.Expired.class, answer -> {
                    assertThat(answer.approval().expired()).isTrue();
                    assertThat(answer.approval().state()).isEqualTo(APPROVED);
                });
    }

    @Test
    void whatNeverExpiresWaitsForEver() {
        Approval approval = registered(ApprovalRequest.of("ap-1", RUN, CALL, Expiry.NEVER));
        assertThat(approval.expiresAt()).isEmpty();
        approvals.decide("ap-1", Decision.approve(DIGEST, "ann"));
        assertThat(consumed("ap-1", held("worker")).expiresAt()).isEmpty();
    }

    @Test // W9, A12
    void ofManyConsumersOneIsFirstAndHearsSoAgain() {
        approved("ap-1");
        Fence fence = held("worker");
        Approval consumed = consumed("ap-1", fence);
        assertThat(consumed.state()).isEqualTo(CONSUMED);
        assertThat(consumed.use().orElseThrow().step()).isEqualTo(STEP.text());
        assertThat(consumed.use().orElseThrow().token()).isEqualTo(fence.token());
        assertThat(approvals.consume(use("ap-1"), fence)).isEqualTo(new Consumption.AlreadyConsumed(consumed, true));
        for (int i = 2; i < 8; i++) {
            ApprovalUse other = new ApprovalUse("ap-1", RUN, DIGEST, STEP.withAttempt(i));
            assertThat(approvals.consume(other, fence)).isEqualTo(new Consumption.AlreadyConsumed(consumed, false));
        }
        assertThat(asStored(consumed)).isEqualTo(consumed);
    }

    @Test
    void theStepThatHasItHearsSoWhateverHasBecomeOfTheLease() {
        approved("ap-1");
        Fence former = held("worker");
        Approval consumed = consumed("ap-1", former);
        Consumption again = new Consumption.AlreadyConsumed(consumed, true);
        Fence successor = held("worker");
        assertThat(approvals.consume(use("ap-1"), former)).isEqualTo(again);
        assertThat(approvals.consume(use("ap-1"), successor)).isEqualTo(again);
        leases.release(LeaseKey.ofRun(RUN), successor);
        assertThat(approvals.consume(use("ap-1"), successor)).isEqualTo(again);
    }

    @Test
    void onlyUnderTheLeaseOfItsRunIsAnApprovalConsumed() {
        approved("ap-1");
        assertThat(approvals.consume(use("ap-1"), new Fence("worker", 1))).isEqualTo(lost(Loss.NONE));
        Fence former = held("worker");
        Fence fence = held("worker");
        assertThat(approvals.consume(use("ap-1"), former)).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(approvals.consume(use("ap-1"), new Fence("other", fence.token())))
                .isEqualTo(lost(Loss.SUPERSEDED));
        expire(LeaseKey.ofRun(RUN));
        assertThat(approvals.consume(use("ap-1"), fence)).isEqualTo(lost(Loss.EXPIRED));
        assertThat(consumed("ap-1", held("worker")).state()).isEqualTo(CONSUMED);
    }

    private static Consumption lost(Loss reason) {
        return new Consumption.FenceLost(reason);
    }

    @Test // A12
    void anotherCallOrAnotherRunThanWasApprovedConsumesNothing() {
        approved("ap-1");
        Fence fence = held("worker");
        assertThat(approvals.consume(new ApprovalUse("ap-1", RUN, OTHER_DIGEST, STEP), fence))
                .isEqualTo(new Consumption.Mismatch());
        Fence others = granted(LeaseKey.ofRun("run-2"), "worker", MINUTE).fence();
        assertThat(approvals.consume(new ApprovalUse("ap-1", "run-2", DIGEST, STEP), others))
                .isEqualTo(new Consumption.Mismatch());
        Approval consumed = consumed("ap-1", fence);
        assertThat(approvals.consume(new ApprovalUse("ap-1", RUN, OTHER_DIGEST, STEP), fence))
                .isEqualTo(new Consumption.Mismatch());
        assertThat(asStored(consumed)).isEqualTo(consumed);
    }

    @Test
    void whatNobodyHasDecidedIsNotConsumed() {
        Approval pending = registered(request("ap-1"));
        assertThat(approvals.consume(use("ap-1"), held("worker"))).isEqualTo(new Consumption.Undecided(pending));
    }

    @Test // W14
    void aRejectionStandsWhoeverComesBackFromACrash() {
        Approval rejected = rejected("ap-1");
        assertThat(rejected.state()).isEqualTo(REJECTED);
        for (int restart = 0; restart < 3; restart++) {
            Fence fence = held("worker");
            assertThat(approvals.consume(use("ap-1"), fence)).isEqualTo(new Consumption.Rejected(rejected));
            assertThat(approvals.decide("ap-1", Decision.approve(DIGEST, "ann")))
                    .isEqualTo(new Ruling.AlreadyDecided(rejected, false));
            assertThat(approvals.register(request("ap-1"))).isEqualTo(new Registration.AlreadyRegistered(rejected));
        }
        assertThat(approvals.withdraw("ap-1", "ann", "")).isEqualTo(new Withdrawal.Settled(rejected));
    }

    @Test // W14: whatever a statement would do
    void theTableItselfHoldsNoUseOfWhatWasRejected() {
        rejected("ap-1");
        assertThatThrownBy(() -> environment.changeRow(
                        "update {approval} set status = 'consumed', consumed_by = 'a#1', consumed_token = 1,"
                                + " consumed_at = clock_timestamp() where scope = ? and id = 'ap-1'",
                        scope.id()))
                .hasStackTraceContaining("approval_as_decided");
    }

    @Test // W15
    void theAnswerOfWhoeverDecidedIsThereForWhoeverGoesOn() {
        registered(request("ap-1"));
        String answer = "{ \"x\": \"\\u0000\u00fc\" }";
        approvals.decide("ap-1", Decision.approve(DIGEST, "ann").answering(answer));
        Approval consumed = consumed("ap-1", held("successor"));
        assertThat(consumed.decision().orElseThrow().decision().answer()).contains(answer);
    }

    @Test
    void whatIsWithdrawnIsNeitherDecidedNorConsumed() {
        registered(request("ap-1"));
        Approval withdrawn = ((Withdrawal.Withdrawn) approvals.withdraw("ap-1", "ann", "edited")).approval();
        assertThat(withdrawn.state()).isEqualTo(WITHDRAWN);
        assertThat(withdrawn.withdrawn().orElseThrow().by()).contains("ann");
        assertThat(withdrawn.withdrawn().orElseThrow().reason()).isEqualTo("edited");
        assertThat(asStored(withdrawn)).isEqualTo(withdrawn);
        assertThat(approvals.withdraw("ap-1", "bob", "")).isEqualTo(new Withdrawal.AlreadyWithdrawn(withdrawn));
        assertThat(approvals.decide("ap-1", Decision.approve(DIGEST, "ann")))
                .isEqualTo(new Ruling.Withdrawn(withdrawn));
        assertThat(approvals.consume(use("ap-1"), held("worker"))).isEqualTo(new Consumption.Withdrawn(withdrawn));
    }

    @Test
    void whatACrashLeftApprovedIsSeenAndCanBeTakenBack() {
        approved("ap-1");
        approved("ap-2");
        consumed("ap-2", held("worker"));
        assertThat(approvals.list(APPROVED, Optional.empty(), 10).lines())
                .extracting(ApprovalPage.Line::id)
                .containsExactly("ap-1");
        Approval withdrawn = ((Withdrawal.Withdrawn) approvals.withdraw("ap-1", "ops", "")).approval();
        assertThat(withdrawn.decision().orElseThrow().decision().actor()).isEqualTo("ann");
        assertThat(approvals.consume(use("ap-1"), held("worker"))).isEqualTo(new Consumption.Withdrawn(withdrawn));
        assertThat(approvals.withdraw("ap-2", "ops", "")).isInstanceOf(Withdrawal.Settled.class);
        assertThat(approvals.list(APPROVED, Optional.empty(), 10).lines()).isEmpty();
    }

    @Test
    void whatIsOverIsWithdrawnOldestEndFirst() {
        registered(request("alive"));
        registered(ApprovalRequest.of("for ever", RUN, CALL, Expiry.NEVER));
        rejected("rejected");
        approved("approved");
        approved("consumed");
        consumed("consumed", held("worker"));
        for (String id : List.of("rejected", "consumed", "approved")) {
            overdue(id);
        }
        registered(ApprovalRequest.of("old", RUN, CALL, Expiry.at(AT)));
        assertThat(approvals.withdrawExpired(1))
                .extracting(ApprovalPage.Line::id)
                .containsExactly("old");
        List<ApprovalPage.Line> rest = approvals.withdrawExpired(10);
        assertThat(rest).extracting(ApprovalPage.Line::id).containsExactly("approved");
        assertThat(rest.get(0).run()).isEqualTo(RUN);
        assertThat(rest.get(0).is(WITHDRAWN)).isTrue();
        assertThat(rest.get(0).is(PENDING)).isFalse();
        assertThat(approvals.withdrawExpired(10)).isEmpty();
        assertThat(approvals.find("old").orElseThrow().withdrawn().orElseThrow().by())
                .isEmpty();
    }

    @Test // A16, A19
    void listsArePagedByPlaceAlsoWhereTimesAreEqual() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            registered(request("ap-" + i));
            ids.add("ap-" + i);
            environment.changeRow(
                    "update {approval} set created_at = '2026-01-01Z' where scope = ? and id = ?",
                    scope.id(),
                    "ap-" + i);
        }
        registered(ApprovalRequest.of("of another", "run-2", CALL, Expiry.DEFAULT));
        List<String> seen = new ArrayList<>();
        ApprovalPage page = approvals.listOfRun(RUN, Optional.empty(), 2);
        page.lines().forEach(line -> seen.add(line.id()));
        while (page.next().isPresent()) {
            page = approvals.listOfRun(RUN, page.next(), 2);
            page.lines().forEach(line -> seen.add(line.id()));
        }
        assertThat(seen).isEqualTo(ids);
        assertThat(approvals.list(PENDING, Optional.empty(), 10).lines())
                .extracting(ApprovalPage.Line::id)
                .containsExactly("ap-0", "ap-1", "ap-2", "ap-3", "ap-4", "of another");
        assertThat(approvals.list(CONSUMED, Optional.empty(), 10))
                .isEqualTo(new ApprovalPage(List.of(), Optional.empty()));
    }

    @Test // A17
    void whatBelongsToAnotherScopeIsNotThere() {
        approved("ap-1");
        Tenant other = new Tenant(environment, Scope.of(scope.id() + "-other"));
        Approvals theirs = other.approvals();
        Fence fence = other.granted(LeaseKey.ofRun(RUN), "worker");
        assertThat(theirs.find("ap-1")).isEmpty();
        assertThat(theirs.list(APPROVED, Optional.empty(), 10).lines()).isEmpty();
        assertThat(theirs.listOfRun(RUN, Optional.empty(), 10).lines()).isEmpty();
        assertThat(theirs.consume(use("ap-1"), fence)).isEqualTo(new Consumption.NotFound());
        assertThat(theirs.decide("ap-1", Decision.approve(DIGEST, "ann"))).isEqualTo(new Ruling.NotFound());
        assertThat(theirs.withdraw("ap-1", "ann", "")).isEqualTo(new Withdrawal.NotFound());
        assertThat(theirs.register(request("ap-1"))).isInstanceOf(Registration.Registered.class);
        assertThat(approvals.find("ap-1").orElseThrow().state()).isEqualTo(APPROVED);
    }

    @Test
    void whatIsAsLongAsItMayBeIsKept() {
        String id = "\u00e9".repeat(512);
        String payload = "\"" + "x".repeat(ApprovalRequest.MAX_PAYLOAD_BYTES - 2) + "\"";
        registered(new ApprovalRequest(
                id, id, payload, Optional.of("r".repeat(128)), Expiry.after(Duration.ofDays(3_650))));
        Decision decision = new Decision(
                Decision.Verdict.APPROVED,
                CallDigest.ofText(payload),
                "a".repeat(128),
                Optional.of("r".repeat(128)),
                "\ud83d\ude00".repeat(1_200),
                Optional.of(payload));
        assertThat(approvals.decide(id, decision)).isInstanceOf(Ruling.Decided.class);
        Fence fence = granted(LeaseKey.ofRun(id), "worker", MINUTE).fence();
        StepKey step = StepKey.visit("n".repeat(1_022), 1);
        Consumption answer = approvals.consume(new ApprovalUse(id, id, decision.digest(), step), fence);
        Approval consumed = ((Consumption.Consumed) answer).approval();
        assertThat(consumed.payload()).isEqualTo(payload);
        assertThat(consumed.decision().orElseThrow().decision()).isEqualTo(decision);
        assertThat(decision.reason().codePointCount(0, decision.reason().length()))
                .isEqualTo(1_000);
    }

    @Test
    void aPageHasItsLimits() {
        for (int limit : new int[] {0, -1, 1_001}) {
            refused("limit", () -> approvals.list(PENDING, Optional.empty(), limit));
            refused("limit", () -> approvals.listOfRun(RUN, Optional.empty(), limit));
            refused("limit", () -> approvals.withdrawExpired(limit));
        }
        refused("run", () -> approvals.listOfRun("", Optional.empty(), 1));
        refused("by", () -> approvals.withdraw("ap-1", "", ""));
        refused("by", () -> approvals.withdraw("ap-1", "a".repeat(129), ""));
    }

    private static void refused(String field, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo(field));
    }

    @Test
    void inATransactionThatIsRolledBackNothingWasConsumed() {
        approved("ap-1");
        Fence fence = held("worker");
        assertThatThrownBy(() ->
                        environment.perform(() -> environment.holdfast().atomically(bound -> {
                            assertThat(bound.in(scope).approvals().consume(use("ap-1"), fence))
                                    .isInstanceOf(Consumption.Consumed.class);
                            throw new IllegalStateException("of the application");
                        })))
                .isInstanceOf(IllegalStateException.class);
        assertThat(consumed("ap-1", fence).state()).isEqualTo(CONSUMED);
    }
}
