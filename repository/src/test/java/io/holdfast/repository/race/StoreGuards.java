package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.ANY_LATER_TOKEN;
import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;
import static io.holdfast.repository.race.Guard.LOOKED_AT_AGAIN;
import static io.holdfast.repository.race.Guard.LOST;
import static io.holdfast.repository.race.Guard.TOKEN;

import java.util.stream.Stream;

/** Guards of the statements on keys, on workflows without a lease, and of clean-up. */
final class StoreGuards {

    private static final String RESERVE = "'IN_PROGRESS' end";
    private static final String COMPLETE = "'RESERVATION'";
    private static final String KNOWN = "status not in ('reserved', 'completed')";
    private static final String CREATE = "'TAKEN'";
    private static final String REQUEST_CANCEL = "'ALREADY'";
    private static final String UPDATE = "revision=?,snapshot=?";
    private static final String REMOVE_WORKFLOWS = "order by w.finished_at";
    private static final String REMOVE_KEYS = "order by i.expires_at, i.key limit";
    private static final String REMOVE_LEASES = "order by x.kind, x.id limit";
    private static final String LOCK_FLOOR = "select f.floor as count";

    private StoreGuards() {}

    static Stream<Guard> all() {
        return Stream.of(reserve(), complete(), workflow(), cleanup()).flatMap(guards -> guards);
    }

    private static Stream<Guard> reserve() {
        return Stream.of(
                new Guard(
                        "reserve: a lapsed key is locked before it is judged",
                        RESERVE,
                        " for no key update of i",
                        "",
                        race -> new ReserveRaceTest(race).aLapsedKeyThatARivalReservedMeanwhileIsTheRivals()),
                new Guard(
                        "reserve: a lapsed key that has changed is looked at again",
                        RESERVE,
                        "then 'AGAIN'",
                        "and false then 'AGAIN'",
                        race -> new ReserveRaceTest(race).aLapsedKeyThatARivalReservedMeanwhileIsTheRivals()),
                new Guard(
                        "reserve: the lease is locked before it is relied on to be dead",
                        RESERVE,
                        " for no key update of x",
                        "",
                        race -> new ReserveRaceTest(race).aKeyWhoseWorkflowIsJustBeingRenewedIsKept()),
                new Guard(
                        "reserve: a live lease is not waited for",
                        RESERVE,
                        "and not exists (select from kept)",
                        "",
                        race -> new ReserveRaceTest(race)
                                .aKeyWhoseWorkflowIsAtWorkSinceBeforeItExpiredIsKeptAndNobodyIsDisturbed()),
                new Guard(
                        "reserve: an insert that waited looks at what is left",
                        RESERVE,
                        "'0.9 milliseconds'",
                        "'-9 milliseconds'",
                        race -> new ReserveRaceTest(race).aReservationThatWaitedForARivalsLostInsertHasItsWholeTime()),
                new Guard(
                        "reserve: a lost insert is no violation",
                        RESERVE,
                        "on conflict (scope, key) do nothing",
                        "",
                        race -> new ReserveRaceTest(race).whoWaitedForARivalsInsertLearnsWhoItWas()),
                new Guard(
                        "reserve: a key's status is one that is known",
                        RESERVE,
                        "when s." + KNOWN,
                        "when false",
                        race -> new NewerKeyRaceTest(race).aLapsedKeyIsNotReservedAnew()));
    }

    private static Stream<Guard> complete() {
        return Stream.of(
                new Guard(
                        "complete: a key's status is one that is known",
                        COMPLETE,
                        "when t." + KNOWN,
                        "when false",
                        race -> new NewerKeyRaceTest(race).aKeyIsNotCompleted()),
                new Guard(
                        "complete: the clock is read behind all locks",
                        COMPLETE,
                        LATE,
                        EARLY,
                        race -> new CompleteRaceTest(race)
                                .aCompletionThatWaitedForTheKeyPastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "complete: a lease that may have been renewed meanwhile is looked at again",
                        COMPLETE,
                        LOOKED_AT_AGAIN,
                        LOST,
                        race -> new CompleteRaceTest(race)
                                .aCompletionThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsMade()),
                new Guard(
                        "complete: the key is locked before it is judged",
                        COMPLETE,
                        " for no key update of i",
                        "",
                        race -> new CompleteRaceTest(race).ofTwoOutcomesTheFirstStands()),
                new Guard(
                        "complete: the reservation is the one that was made",
                        COMPLETE,
                        "reservation <> ? then",
                        "reservation <> ? and false then",
                        race -> new CompleteRaceTest(race)
                                .aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                new Guard(
                        "complete: the lease is locked, so that nobody takes it over",
                        COMPLETE,
                        " for key share of x",
                        "",
                        race -> new CompleteRaceTest(race).aCompletionThatWaitsForTheKeyCannotBeOvertakenByATakeover()),
                new Guard(
                        "complete: the lease is locked before it is judged",
                        COMPLETE,
                        " for key share of x",
                        "",
                        race -> new CompleteRaceTest(race).aCompletionThatWaitedForATakeoverIsRefused()),
                new Guard(
                        "complete: the token is the one that was granted",
                        COMPLETE,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new CompleteRaceTest(race).aCompletionThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard(
                        "complete: with a lock that a heartbeat does not wait for",
                        COMPLETE,
                        " for key share of x",
                        " for share of x",
                        race -> new CompleteRaceTest(race).aHeartbeatRunsDuringAnOpenFencedCompletion()),
                new Guard(
                        "complete: with a lock under which two writers do not deadlock",
                        COMPLETE,
                        " for key share of x",
                        " for share of x",
                        race -> new UpdateFencedRaceTest(race)
                                .twoFencedWritersThatBothGoOnToChangeTheLeaseDoNotDeadlock()));
    }

    private static Stream<Guard> workflow() {
        return Stream.of(
                new Guard(
                        "create: a lost insert is no violation",
                        CREATE,
                        "on conflict (scope, id) do nothing",
                        "",
                        race -> new WorkflowRaceTest(race).anotherUnderTheSameIdThatWaitedForTheFirstFindsItTaken()),
                new Guard(
                        "requestCancel: the state is locked before it is judged",
                        REQUEST_CANCEL,
                        " for no key update of w",
                        "",
                        race -> new WorkflowRaceTest(race).aCancellationThatWaitedForTheEndComesTooLate()),
                new Guard(
                        "update: Hibernate compares the version",
                        UPDATE,
                        "and revision=?",
                        "and (revision=? or true)",
                        race -> new WorkflowRaceTest(race).ofTwoWritersOfOneRevisionTheSecondIsAConflict()),
                new Guard(
                        "update: a row made anew is another",
                        UPDATE,
                        "and incarnation=?",
                        "and (incarnation=? or true)",
                        race -> new WorkflowRaceTest(race).aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother()));
    }

    private static Stream<Guard> cleanup() {
        return Stream.of(
                new Guard(
                        "clean-up: a lease is locked before it goes, against renewals",
                        REMOVE_LEASES,
                        " for update skip locked",
                        "",
                        race -> new CleanupRaceTest(race).aLeaseThatIsJustBeingRenewedStays()),
                new Guard(
                        "clean-up: a lease is locked before it goes, against takeovers",
                        REMOVE_LEASES,
                        " for update skip locked",
                        "",
                        race -> new CleanupRaceTest(race).aLeaseThatIsJustBeingTakenOverStays()),
                new Guard(
                        "clean-up: the floor rises above what goes",
                        REMOVE_LEASES,
                        "greatest(f.floor, (select max(token) from gone))",
                        "f.floor",
                        race -> new CleanupRaceTest(race).theFloorRisesToTheHighestTokenThatGoes()),
                new Guard(
                        "clean-up: the floor is locked first",
                        LOCK_FLOOR,
                        " for update skip locked",
                        "",
                        race -> new CleanupRaceTest(race).aFirstGrantThatIsUnderWayPutsAPurgeOff()),
                new Guard(
                        "clean-up: the floor is not waited for",
                        LOCK_FLOOR,
                        " skip locked",
                        "",
                        race -> new CleanupRaceTest(race).aPassWaitsForNobodyWhateverIsLocked()),
                new Guard(
                        "clean-up: keys are locked before they go",
                        REMOVE_KEYS,
                        " for update of i skip locked",
                        "",
                        race -> new CleanupRaceTest(race).aKeyThatIsJustBeingCompletedStays()),
                new Guard(
                        "clean-up: keys are not waited for",
                        REMOVE_KEYS,
                        " for update of i skip locked",
                        " for update of i",
                        race -> new CleanupRaceTest(race).aPassWaitsForNobodyWhateverIsLocked()),
                new Guard(
                        "clean-up: a key's lease is locked before it is relied on to be dead",
                        REMOVE_KEYS,
                        " for no key update of x skip locked",
                        "",
                        race -> new CleanupRaceTest(race).aKeyWhoseWorkflowIsJustBeingRenewedStays()),
                new Guard(
                        "clean-up: a key's lease that is locked may be alive",
                        REMOVE_KEYS,
                        "and d.key not in (select key from leased)",
                        "",
                        race -> new CleanupRaceTest(race).aKeyWhoseWorkflowIsJustBeingRenewedStays()),
                new Guard(
                        "clean-up: two share the work",
                        REMOVE_WORKFLOWS,
                        " skip locked",
                        "",
                        race -> new CleanupRaceTest(race).twoCleanersShareTheWork()));
    }
}
