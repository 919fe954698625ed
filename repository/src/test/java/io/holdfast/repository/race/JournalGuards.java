package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;

import java.util.stream.Stream;

/** Guards of the statements on the execution journal. */
final class JournalGuards {

    private static final String COMMIT = "key_taken as materialized";
    private static final String WITHDRAW = "string_to_array(";
    private static final String CLAIM = "watched as (";
    private static final String OPEN = "made as (";
    private static final String RESOLVE = "effect as materialized (";
    private static final String PURGE = "d.id returning e.id";

    private JournalGuards() {}

    static Stream<Guard> all() {
        return Stream.of(commit(), claimAndOpen(), resolveAndPurge()).flatMap(guards -> guards);
    }

    private static Stream<Guard> commit() {
        return Stream.of(
                new Guard(
                        "commit: the clock is read behind all locks",
                        COMMIT,
                        LATE,
                        EARLY,
                        race -> new JournalRaceTest(race).aCommitThatWaitedForTheRunPastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "commit: a lease that is given back is locked before it is judged",
                        COMMIT,
                        " for no key update of x",
                        "",
                        race -> new JournalRaceTest(race).aPausingCommitThatWaitedForTheLeaseUntilATakeoverIsRefused()),
                new Guard(
                        "commit: the lease is locked, so that nobody takes it over",
                        COMMIT,
                        " for key share of x",
                        "",
                        race -> new JournalRaceTest(race).aCommitThatWaitsForTheRunCannotBeOvertakenByATakeover()),
                new Guard(
                        "commit: with a lock that a heartbeat does not wait for",
                        COMMIT,
                        " for key share of x",
                        " for no key update of x",
                        race -> new JournalRaceTest(race).aHeartbeatGoesOnWhileACommitIsOpen()),
                new Guard(
                        "commit: the run is locked before it is judged",
                        COMMIT,
                        " for no key update of e",
                        "",
                        race -> new JournalRaceTest(race).twoCommitsOfOneRevisionAreOneCommitAndOneConflict()),
                new Guard(
                        "commit: what is seen of steps is of the revision that is locked",
                        COMMIT,
                        "when s.revision is distinct from t.revision then 'AGAIN'",
                        "when false then 'AGAIN'",
                        race -> new JournalRaceTest(race)
                                .aCommitThatWaitedForAnotherIsJudgedByWhatThatHasWrittenAndNumberedBehindIt()),
                new Guard(
                        "commit: an approval is consumed by the step that names it",
                        COMMIT,
                        "and p.consumed_by = a.step_key",
                        "",
                        race -> new JournalRaceTest(race).ofTwoStepsUnderOneApprovalTheOneThatConsumedItIsEntered()),
                new Guard(
                        "commit: an approval is consumed",
                        COMMIT,
                        "when exists (select from not_approved) then 'APPROVAL'",
                        "",
                        race -> new JournalRaceTest(race).anEntryThatWaitedForAConsumptionThatWasRolledBackIsRefused()),
                new Guard(
                        "commit: an approval is leave for one effect",
                        COMMIT,
                        "o.resolution is distinct from 'not_applied'",
                        "false",
                        race -> new JournalRaceTest(race).ofTwoFurtherEffectsUnderOneApprovalOneIsEntered()),
                new Guard(
                        "commit: a key that was lost is no violation",
                        COMMIT,
                        "on conflict do nothing",
                        "",
                        race -> new JournalRaceTest(race).whoMeetsARivalsFreshKeyAloneWritesNothing()),
                new Guard(
                        "commit: nothing is written unless all effects are",
                        COMMIT,
                        "(select count(*) from sent) = (select count(*) from effect_found where ordinal is null)",
                        "true",
                        race -> new JournalRaceTest(race).whoMeetsARivalsFreshKeyAloneWritesNothing()),
                new Guard(
                        "commit: keys are taken in their order",
                        COMMIT,
                        "order by n.idempotency_key",
                        "order by n.ordinal = 0, n.ordinal, n.idempotency_key",
                        race -> new JournalRaceTest(race).crossingKeysDoNotDeadlock()),
                new Guard(
                        "commit: of several effects none stays if one was lost",
                        WITHDRAW,
                        "f.effect_id = any",
                        "false and f.effect_id = any",
                        race -> new JournalRaceTest(race).whoMeetsARivalsFreshKeyAmongSeveralWritesNothing()));
    }

    private static Stream<Guard> claimAndOpen() {
        return Stream.of(
                new Guard(
                        "claim: the lease is locked before it is judged",
                        CLAIM,
                        " for update of x",
                        "",
                        race -> new JournalRaceTest(race).twoClaimsOfACrashedRunAreOneGrant()),
                new Guard(
                        "claim: the run is looked at behind the lease",
                        CLAIM,
                        " for no key update of e",
                        "",
                        race -> new JournalRaceTest(race)
                                .aClaimThatWaitedForTheOwnersLastCommitHearsThatTheRunIsFinished()),
                new Guard(
                        "claim: what is not decided is not heard",
                        CLAIM,
                        "and (a.status in ('approved', 'rejected', 'withdrawn') or a.status = 'pending' and a.expires_at <= m.at)",
                        "",
                        race -> new JournalRaceTest(race).aDecisionBehindAClaimWakesTheRunOnceItIsPausedAgain()),
                new Guard(
                        "claim: what is being decided is passed by",
                        CLAIM,
                        " skip locked",
                        "",
                        race -> new JournalRaceTest(race).aClaimDoesNotWaitForWhoIsTakingAnApprovalBack()),
                new Guard(
                        "open: a lost insert is no violation",
                        OPEN,
                        "on conflict (scope, kind, id) do nothing",
                        "",
                        race -> new JournalRaceTest(race).twoWhoOpenOneRunAreOneRun()),
                new Guard(
                        "open: the lease is taken only with the run",
                        OPEN,
                        "from held h, moment m, made where",
                        "from held h, moment m where",
                        race -> new JournalRaceTest(race).aRunThatARivalOpensUnderALeaseThatWasFreeIsTheRivals()));
    }

    private static Stream<Guard> resolveAndPurge() {
        return Stream.of(
                new Guard(
                        "resolve: the clock is read behind all locks",
                        RESOLVE,
                        LATE,
                        EARLY,
                        race -> new JournalRaceTest(race)
                                .aResolutionThatWaitedForTheRunPastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "resolve: the lease is locked before it is judged",
                        RESOLVE,
                        " for no key update of x",
                        "",
                        race -> new JournalRaceTest(race).aResolutionThatWaitedForATakeoverIsRefused()),
                new Guard(
                        "resolve: the effect is of the revision that is locked",
                        RESOLVE,
                        "when s.revision is distinct from t.revision then 'AGAIN'",
                        "when false then 'AGAIN'",
                        race -> new JournalRaceTest(race).twoWhoResolveOneEffectAreOneResolution()),
                new Guard(
                        "purge: what is locked is passed by",
                        PURGE,
                        " skip locked",
                        "",
                        race -> new JournalRaceTest(race).aPurgePassesByARunThatSomebodyHasLocked()));
    }
}
