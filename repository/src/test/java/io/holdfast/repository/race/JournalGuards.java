package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.ANY_LATER_TOKEN;
import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;
import static io.holdfast.repository.race.Guard.TOKEN;

import java.util.function.Consumer;
import java.util.stream.Stream;

/** Guards of the statements on the execution journal. */
final class JournalGuards {

    private static final String COMMIT = "journal_commit_v1";
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
                commit(
                        "the clock is read behind all locks",
                        "moment := clock_timestamp()",
                        "moment := now()",
                        JournalRaceTest::aCommitThatWaitedForTheRunPastTheEndOfTheLeaseIsRefused),
                commit(
                        "a lease that is given back is locked before it is judged",
                        " for no key update of x",
                        "",
                        JournalRaceTest::aPausingCommitThatWaitedForTheLeaseUntilATakeoverIsRefused),
                commit(
                        "the token is the one that was granted",
                        "held.token <> in_token",
                        "held.token < in_token",
                        JournalRaceTest::aCommitThatWaitedForARestartOfItsOwnerIsRefused),
                commit(
                        "the lease is locked, so that nobody takes it over",
                        " for key share of x",
                        "",
                        JournalRaceTest::aCommitThatWaitsForTheRunCannotBeOvertakenByATakeover),
                commit(
                        "with a lock that a heartbeat does not wait for",
                        " for key share of x",
                        " for no key update of x",
                        JournalRaceTest::aHeartbeatGoesOnWhileACommitIsOpen),
                commit(
                        "the run is locked before it is judged",
                        " for no key update of e",
                        "",
                        JournalRaceTest::twoCommitsOfOneRevisionAreOneCommitAndOneConflict),
                commit(
                        "the run is locked before its steps are looked at, and numbered behind them",
                        " for no key update of e",
                        "",
                        JournalRaceTest::aCommitThatWaitedForAnotherIsJudgedByWhatThatHasWrittenAndNumberedBehindIt),
                behind(
                        "a lease that was given back while the run was waited for is looked at again",
                        "if expected is null or",
                        "if",
                        CommitRaceTest::aCommitThatWaitedForOneWithWhichTheLeaseWasGivenBackIsRefused),
                behind(
                        "and one that was renewed",
                        "or held.expires_at <= clock_timestamp() then",
                        "then",
                        CommitRaceTest::aCommitThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten),
                commit(
                        "an approval is consumed by the step that names it",
                        " and p.consumed_by = step_keys[i]",
                        "",
                        JournalRaceTest::ofTwoStepsUnderOneApprovalTheOneThatConsumedItIsEntered),
                commit(
                        "an approval is consumed",
                        "if unapproved is not null then",
                        "if false then",
                        JournalRaceTest::anEntryThatWaitedForAConsumptionThatWasRolledBackIsRefused),
                behind(
                        "an approval that was consumed behind the caller's snapshot is a lost race",
                        " for no key update of p skip locked",
                        "",
                        CommitRaceTest::atAHigherIsolationAnApprovalThatWasConsumedMeanwhileIsTypedAndRetryable),
                commit(
                        "an approval is leave for one effect",
                        "o.resolution is distinct from 'not_applied'",
                        "false",
                        JournalRaceTest::ofTwoFurtherEffectsUnderOneApprovalOneIsEntered),
                commit(
                        "a key that was lost is no violation",
                        "on conflict do nothing",
                        "",
                        JournalRaceTest::whoMeetsARivalsFreshKeyAloneWritesNothing),
                commit(
                        "nothing is written unless all effects are",
                        "if written < new_effects then",
                        "if false then",
                        JournalRaceTest::whoMeetsARivalsFreshKeyAloneWritesNothing),
                commit(
                        "keys are taken in their order",
                        "order by n.idempotency_key",
                        "order by n.nth, n.idempotency_key",
                        JournalRaceTest::crossingKeysDoNotDeadlock),
                commit(
                        "of several effects none stays if one was lost",
                        "and k.ordinal > stored.effects",
                        "and false",
                        JournalRaceTest::whoMeetsARivalsFreshKeyAmongSeveralWritesNothing));
    }

    private static Guard commit(String name, String guard, String without, Consumer<JournalRaceTest> scenario) {
        return Guard.ofFunction(
                "commit: " + name, COMMIT, guard, without, race -> scenario.accept(new JournalRaceTest(race)));
    }

    private static Guard behind(String name, String guard, String without, Consumer<CommitRaceTest> scenario) {
        return Guard.ofFunction(
                "commit: " + name, COMMIT, guard, without, race -> scenario.accept(new CommitRaceTest(race)));
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
                        "claim: what is neither decided nor over is not heard",
                        CLAIM,
                        "and (a.status in ('approved', 'rejected', 'withdrawn') or a.status = 'pending' and a.expires_at <= m.at)",
                        "",
                        race -> new JournalRaceTest(race).whatLapsesBehindAClaimWakesTheRunOnceItIsPausedAgain()),
                new Guard(
                        "claim: what is being decided is passed by",
                        CLAIM,
                        " skip locked",
                        "",
                        race -> new JournalRaceTest(race).aClaimDoesNotWaitForWhoIsTakingAnApprovalBack()),
                new Guard(
                        "claim: an insert that waited looks at what is left",
                        CLAIM,
                        "'0.9 milliseconds'",
                        "'-9 milliseconds'",
                        race -> new JournalRaceTest(race).aClaimThatWaitedForARivalsLostInsertHasItsWholeTime()),
                new Guard(
                        "claim: not now(), which is the start of the caller's transaction",
                        CLAIM,
                        LATE,
                        EARLY,
                        race -> new LongTransactionRaceTest(race).theLeaseOfARunThatIsClaimedHasItsWholeTime()),
                new Guard(
                        "open: an insert that waited looks at what is left",
                        OPEN,
                        "'0.9 milliseconds'",
                        "'-9 milliseconds'",
                        race -> new JournalRaceTest(race).anOpenThatWaitedForARivalsLostInsertHasItsWholeTime()),
                new Guard(
                        "open: not now(), which is the start of the caller's transaction",
                        OPEN,
                        LATE,
                        EARLY,
                        race -> new LongTransactionRaceTest(race).theLeaseOfARunThatIsOpenedHasItsWholeTime()),
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
                        "resolve: the token is the one that was granted",
                        RESOLVE,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new JournalRaceTest(race).aResolutionThatWaitedForARestartOfItsOwnerIsRefused()),
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
