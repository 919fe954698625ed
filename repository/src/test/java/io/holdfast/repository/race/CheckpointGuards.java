package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.ANY_LATER_TOKEN;
import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;
import static io.holdfast.repository.race.Guard.LOOKED_AT_AGAIN;
import static io.holdfast.repository.race.Guard.LOST;
import static io.holdfast.repository.race.Guard.TOKEN;

import java.util.stream.Stream;

/** Guards of the statements on checkpoints. */
final class CheckpointGuards {

    private static final String SAVE = "'ALREADY_SAVED'";
    private static final String CREATE = "'AT_THE_END'";
    private static final String PURGE = "from cut) as entries";

    private CheckpointGuards() {}

    static Stream<Guard> all() {
        return Stream.of(lease(), run(), others()).flatMap(guards -> guards);
    }

    private static Stream<Guard> lease() {
        return Stream.of(
                new Guard(
                        "save: the clock is read behind the run's lock",
                        SAVE,
                        LATE,
                        EARLY,
                        race -> new CheckpointRaceTest(race).aSaveThatWaitedForTheRunPastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "save: a lease that may have been renewed meanwhile is looked at again",
                        SAVE,
                        LOOKED_AT_AGAIN,
                        LOST,
                        race -> new CheckpointRaceTest(race)
                                .aSaveThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsSaved()),
                new Guard(
                        "save: the clock is read behind the lease's lock",
                        SAVE,
                        LATE,
                        EARLY,
                        race -> new CheckpointRaceTest(race).aSaveThatWaitedForTheLeasePastItsEndIsRefused()),
                new Guard(
                        "save: the lease is locked, so that nobody takes it over",
                        SAVE,
                        " for key share of x",
                        "",
                        race -> new CheckpointRaceTest(race).aSaveThatWaitsForTheRunCannotBeOvertakenByATakeover()),
                new Guard(
                        "save: the lease is locked before it is judged",
                        SAVE,
                        " for key share of x",
                        "",
                        race -> new CheckpointRaceTest(race).aSaveThatWaitedForATakeoverIsRefused()),
                new Guard(
                        "save: the token is the one that was granted",
                        SAVE,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new CheckpointRaceTest(race).aSaveThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard(
                        "save: with a lock that a heartbeat does not wait for",
                        SAVE,
                        " for key share of x",
                        " for share of x",
                        race -> new CheckpointRaceTest(race).aHeartbeatRunsDuringAnOpenSave()),
                new Guard(
                        "save: a lease that was given back with what was waited for is looked at again",
                        SAVE,
                        "t.place is distinct from s.place",
                        "false",
                        race -> new SaveRaceTest(race).aSaveThatWaitedForWhoGaveTheLeaseBackIsRefused()),
                new Guard(
                        "overwrite: no lease is locked",
                        SAVE,
                        "where cast(? as text) is not null and x.scope",
                        "where (cast(? as text) is not null or true) and x.scope",
                        race -> new CheckpointRaceTest(race).anOperatorDoesNotWaitForTheLease()));
    }

    private static Stream<Guard> run() {
        return Stream.of(
                new Guard(
                        "save: the run is locked before it is judged",
                        SAVE,
                        " for no key update of c",
                        "",
                        race -> new CheckpointRaceTest(race).ofTwoSaversOfOneRevisionTheSecondIsAConflict()),
                new Guard(
                        "save: an operator's is judged behind the lock too",
                        SAVE,
                        " for no key update of c",
                        "",
                        race -> new CheckpointRaceTest(race).anOperatorThatWaitedForASaveOverrulesNothingUnseen()),
                new Guard(
                        "save: the revision is the one that was read",
                        SAVE,
                        "when t.revision <> ? then",
                        "when t.revision <> ? and false then",
                        race -> new CheckpointRaceTest(race).theEndThatWaitedForASaveIsAConflict()),
                new Guard(
                        "save: an entry that is too new to be seen is looked at again",
                        SAVE,
                        "then 'AGAIN'",
                        "and false then 'AGAIN'",
                        race -> new CheckpointRaceTest(race).anIdenticalOneThatWaitedForTheFirstHearsThatItIsSaved()),
                new Guard(
                        "save: what has ended stays so",
                        SAVE,
                        "when t.status in ('completed', 'failed', 'rejected')",
                        "when false",
                        race -> new CheckpointRaceTest(race).aSaveThatWaitedForTheEndOfTheRunComesTooLate()),
                new Guard(
                        "save: a run made anew is another",
                        SAVE,
                        "or t.incarnation <> cast(? as uuid)",
                        "or (t.incarnation <> cast(? as uuid) and false)",
                        race -> new CheckpointRaceTest(race).aRunThatWasPurgedAndMadeAnewMeanwhileIsAnother()));
    }

    private static Stream<Guard> others() {
        return Stream.of(
                new Guard(
                        "create: a lost insert is no violation",
                        CREATE,
                        "on conflict (scope, run_id) do nothing",
                        "",
                        race -> new CheckpointRaceTest(race).anotherUnderTheSameIdThatWaitedForTheFirstFindsItTaken()),
                new Guard(
                        "purge: nobody is waited for",
                        PURGE,
                        " for update of c skip locked",
                        " for update of c",
                        race -> new CheckpointRaceTest(race).aPurgeWaitsForNobody()),
                new Guard(
                        "purge: a run is locked before it goes",
                        PURGE,
                        " for update of c skip locked",
                        "",
                        race -> new CheckpointRaceTest(race).aPurgeWaitsForNobody()),
                new Guard(
                        "purge: nobody has the lease",
                        PURGE,
                        "x.owner is null or x.expires_at <= clock_timestamp()",
                        "true",
                        race -> new CheckpointRaceTest(race).aPurgeLeavesAloneWhatSomebodyHolds()),
                new Guard(
                        "purge: only what has ended",
                        PURGE,
                        "(c.finished_at, c.run_id) > (cast(? as timestamptz), ?) and c.finished_at <=",
                        "(c.created_at, c.run_id) > (cast(? as timestamptz), ?) and c.created_at <=",
                        race -> new CheckpointRaceTest(race).aPurgeTakesOnlyWhatHasEnded()));
    }
}
