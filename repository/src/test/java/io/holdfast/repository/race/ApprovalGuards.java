package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.ANY_LATER_TOKEN;
import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;
import static io.holdfast.repository.race.Guard.LOOKED_AT_AGAIN;
import static io.holdfast.repository.race.Guard.LOST;
import static io.holdfast.repository.race.Guard.TOKEN;

import java.util.function.Consumer;
import java.util.stream.Stream;

/** Guards of the statements on approvals. */
final class ApprovalGuards {

    private static final String REGISTER = "'REGISTERED'";
    private static final String ITS_TIME = "valid_ms * interval '1 millisecond'"; // also where it is counted anew
    private static final String DECIDE = "then 'DECIDED'";
    private static final String CONSUME = "then 'EXPIRED' when r.revision";
    private static final String DISPATCH = "then 'KEY_TAKEN'";
    private static final String WITHDRAW = "then 'SETTLED'";
    private static final String WITHDRAW_EXPIRED = "withdrawn_reason = 'expired'";

    private ApprovalGuards() {}

    static Stream<Guard> all() {
        return Stream.of(decided(), consumed(), dispatched(), again()).flatMap(guards -> guards);
    }

    private static Guard of(String name, String of, String guard, String without, Consumer<ApprovalRaceTest> scenario) {
        return new Guard(name, of, guard, without, race -> scenario.accept(new ApprovalRaceTest(race)));
    }

    private static Stream<Guard> decided() {
        return Stream.of(
                new Guard(
                        "register: its time counts from now",
                        ITS_TIME,
                        LATE,
                        EARLY,
                        race -> new LongTransactionRaceTest(race).anApprovalThatIsRegisteredHasItsWholeTime()),
                new Guard(
                        "decide: its end is judged now",
                        DECIDE,
                        LATE,
                        EARLY,
                        race -> new LongTransactionRaceTest(race).anApprovalThatWasGoodWhenTheTransactionBeganIsOver()),
                of(
                        "register: an insert that waited looks at what is left",
                        REGISTER,
                        "'0.9 milliseconds'",
                        "'-9 milliseconds'",
                        ApprovalRaceTest::anApprovalThatWaitedForARivalsLostInsertHasItsWholeTime),
                of(
                        "register: a lost insert is no violation",
                        REGISTER,
                        "on conflict (scope, id) do nothing",
                        "",
                        ApprovalRaceTest::aTwinThatWaitedForTheRegistrationFindsIt),
                of(
                        "decide: the approval is locked before it is judged",
                        DECIDE,
                        " for no key update of a",
                        "",
                        ApprovalRaceTest::ofAnApprovalAndARejectionTheFirstStands),
                of(
                        "decide: the clock is read behind the lock",
                        DECIDE,
                        LATE,
                        EARLY,
                        ApprovalRaceTest::aDecisionThatWaitedPastTheEndOfTheApprovalIsNone),
                of(
                        "withdraw: the approval is locked before it is judged",
                        WITHDRAW,
                        " for no key update of a",
                        "",
                        ApprovalRaceTest::ofTwoWithdrawalsTheFirstStands),
                of(
                        "withdrawExpired: what is over is locked before it goes",
                        WITHDRAW_EXPIRED,
                        " for no key update of a skip locked",
                        "",
                        ApprovalRaceTest::whatIsJustBeingConsumedIsNotWaitedForWhenWhatIsOverIsWithdrawn),
                of(
                        "withdrawExpired: nobody is waited for",
                        WITHDRAW_EXPIRED,
                        " skip locked",
                        "",
                        ApprovalRaceTest::whatIsJustBeingConsumedIsNotWaitedForWhenWhatIsOverIsWithdrawn));
    }

    private static Stream<Guard> consumed() {
        return Stream.of(
                of(
                        "consume: the approval is locked before it is judged",
                        CONSUME,
                        " for no key update of a",
                        "",
                        ApprovalRaceTest::ofTwoConsumersTheSecondHearsWhoWasFirst),
                of(
                        "consume: the run is locked before its approval",
                        CONSUME,
                        " for no key update of e",
                        "",
                        ApprovalRaceTest::whoConsumesAndThenEntersTheCallDoesNotDeadlockWithADispatch),
                of(
                        "consume: the approval's end is judged behind all locks",
                        CONSUME,
                        LATE,
                        EARLY,
                        ApprovalRaceTest::aConsumerThatWaitedPastTheEndOfTheApprovalHasNothing),
                of(
                        "consume: the lease's end is judged behind all locks",
                        CONSUME,
                        LATE,
                        EARLY,
                        ApprovalRaceTest::aConsumerThatWaitedPastTheEndOfItsLeaseHasNothing),
                of(
                        "consume: the lease is locked before it is judged",
                        CONSUME,
                        " for key share of x",
                        "",
                        ApprovalRaceTest::aConsumerThatWaitedForATakeoverIsRefused),
                of(
                        "consume: the token is the one that was granted",
                        CONSUME,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        ApprovalRaceTest::aConsumerThatWaitedForARestartOfItsOwnerIsRefused),
                of(
                        "consume: the lease is locked, so that nobody takes it over",
                        CONSUME,
                        " for key share of x",
                        "",
                        ApprovalRaceTest::aConsumerThatWaitsForTheApprovalCannotBeOvertakenByATakeover),
                of(
                        "consume: with a lock that a heartbeat does not wait for",
                        CONSUME,
                        " for key share of x",
                        " for share of x",
                        ApprovalRaceTest::aHeartbeatRunsDuringAnOpenConsumption));
    }

    private static Stream<Guard> dispatched() {
        return Stream.of(
                of(
                        "dispatch: the approval is locked before it is judged",
                        DISPATCH,
                        " for no key update of a",
                        "",
                        ApprovalRaceTest::aDispatchThatWaitedForAConsumerEntersNothing),
                of(
                        "dispatch: the approval's end is judged behind all locks",
                        DISPATCH,
                        LATE,
                        EARLY,
                        ApprovalRaceTest::aDispatchThatWaitedPastTheEndOfTheApprovalEntersNothing),
                of(
                        "dispatch: the lease's end is judged behind all locks",
                        DISPATCH,
                        LATE,
                        EARLY,
                        ApprovalRaceTest::aDispatchThatWaitedPastTheEndOfItsLeaseEntersNothing),
                of(
                        "dispatch: the lease is locked before it is judged",
                        DISPATCH,
                        " for key share of x",
                        "",
                        ApprovalRaceTest::aDispatchThatWaitedForATakeoverIsRefused),
                of(
                        "dispatch: the token is the one that was granted",
                        DISPATCH,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        ApprovalRaceTest::aDispatchThatWaitedForARestartOfItsOwnerIsRefused),
                of(
                        "dispatch: the lease is locked, so that nobody takes it over",
                        DISPATCH,
                        " for key share of x",
                        "",
                        ApprovalRaceTest::aDispatchThatWaitsForTheApprovalCannotBeOvertakenByATakeover),
                of(
                        "dispatch: with a lock that a heartbeat does not wait for",
                        DISPATCH,
                        " for key share of x",
                        " for share of x",
                        ApprovalRaceTest::aHeartbeatRunsDuringAnOpenDispatch),
                of(
                        "dispatch: the run is locked before it is judged",
                        DISPATCH,
                        " for no key update of e",
                        "",
                        ApprovalRaceTest::aRunThatEndedMeanwhileTakesNoEntry),
                of(
                        "dispatch: a run that has moved is looked at again",
                        DISPATCH,
                        "r.revision is distinct from s.revision",
                        "false",
                        ApprovalRaceTest::aStepThatWasEnteredMeanwhileIsNotEnteredTwice),
                of(
                        "dispatch: an idempotency key that is lost is no violation",
                        DISPATCH,
                        "on conflict do nothing",
                        "",
                        ApprovalRaceTest::anIdempotencyKeyThatAnotherRunTookMeanwhileIsNotTakenTwice));
    }

    private static Guard again(
            String name, String of, String guard, String without, Consumer<ConsumeRaceTest> scenario) {
        return new Guard(name, of, guard, without, race -> scenario.accept(new ConsumeRaceTest(race)));
    }

    private static Stream<Guard> again() {
        return Stream.of(
                again(
                        "consume: a lease that may have been renewed meanwhile is looked at again",
                        CONSUME,
                        LOOKED_AT_AGAIN,
                        LOST,
                        ConsumeRaceTest::aConsumerThatWaitedForTheRunWhileTheHeartbeatWentOnHasTheApproval),
                again(
                        "consume: with a run that has moved the lease is looked at again",
                        CONSUME,
                        "r.revision is distinct from s.revision",
                        "false",
                        ConsumeRaceTest::aConsumerThatWaitedForACommitThatPausedTheRunHasNothing),
                again(
                        "consume: with an approval that has changed the lease is looked at again",
                        CONSUME,
                        "t.place is distinct from s.place",
                        "false",
                        ConsumeRaceTest::aConsumerThatWaitedForAChangeWithWhichTheLeaseWasGivenBackHasNothing),
                again(
                        "dispatch: a lease that may have been renewed meanwhile is looked at again",
                        DISPATCH,
                        LOOKED_AT_AGAIN,
                        LOST,
                        ConsumeRaceTest::aDispatchThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnEntersTheCall),
                again(
                        "dispatch: with a run that has moved the lease is looked at again",
                        DISPATCH,
                        "r.revision is distinct from s.revision",
                        "false",
                        ConsumeRaceTest::aDispatchThatWaitedForACommitThatPausedTheRunEntersNothing),
                again(
                        "dispatch: with an approval that has changed the lease is looked at again",
                        DISPATCH,
                        "t.place is distinct from s.place",
                        "false",
                        ConsumeRaceTest::aDispatchThatWaitedForAChangeWithWhichTheLeaseWasGivenBackEntersNothing));
    }
}
