package io.holdfast.repository.race;

import java.util.stream.Stream;

/** Guards of the statements on runs and sessions. */
final class RunGuards {

    private static final String CREATE = "'running', g.state";
    private static final String UPDATE = "'FORBIDDEN'";
    private static final String APPEND = "from numbered n, unnest";
    private static final String SAVE = "'NEXT' end";
    private static final String LATEST = "greatest(clock_timestamp(), r.updated_at)";

    private RunGuards() {}

    static Stream<Guard> all() {
        return Stream.of(runs(), sessions()).flatMap(guards -> guards);
    }

    private static Stream<Guard> runs() {
        return Stream.of(
                new Guard(
                        "create run: a lost insert is no violation",
                        CREATE,
                        "on conflict (scope, id) do nothing",
                        "",
                        race -> new RunRaceTest(race).anotherUnderTheSameIdThatWaitedForTheFirstFindsItTaken()),
                new Guard(
                        "update run: the run is locked before it is judged",
                        UPDATE,
                        " for no key update of r",
                        "",
                        race -> new RunRaceTest(race).ofTwoWritersOfOneRevisionTheSecondIsAConflict()),
                new Guard(
                        "update run: the run is locked before its status is judged",
                        UPDATE,
                        " for no key update of r",
                        "",
                        race -> new RunRaceTest(race).aRunThatEndedMeanwhileIsNotSetRunning()),
                new Guard(
                        "update run: a row made anew is another",
                        UPDATE,
                        "t.incarnation <> cast(? as uuid)",
                        "t.incarnation <> cast(? as uuid) and false",
                        race -> new RunRaceTest(race).aRunThatWasRemovedAndMadeAnewMeanwhileIsAnother()),
                new Guard(
                        "update run: a repeat is recognised",
                        UPDATE,
                        "and t.change = ?",
                        "and t.change = ? and false",
                        race -> new RunRaceTest(race).aTwinThatWaitedForTheFirstWriterHearsAlreadyApplied()),
                new Guard(
                        "update run: no time goes back",
                        UPDATE,
                        LATEST,
                        "clock_timestamp()",
                        race -> new RunRaceTest(race).noEventIsBeforeTheOneBeforeItThoughTheClockWasSetBack()),
                new Guard(
                        "append: the row says the number, not what its snapshot saw of the log",
                        APPEND,
                        "set last_seq = r.last_seq + ?",
                        "set last_seq = (select count(*) from holdfast.run_event e where e.scope = r.scope and e.run_id = r.id) + ?",
                        race -> new RunRaceTest(race).anAppendThatWaitedForAnotherIsNumberedBehindIt()),
                new Guard(
                        "append: a row made anew is another",
                        APPEND,
                        "r.incarnation = coalesce(cast(? as uuid), r.incarnation)",
                        "(r.incarnation = coalesce(cast(? as uuid), r.incarnation)) is not null",
                        race -> new LateWriteAfterPurgeTest(race).aLateEventOfAFormerRunDoesNotEnterTheNewOne()),
                new Guard(
                        "append: no time goes back",
                        APPEND,
                        LATEST,
                        "clock_timestamp()",
                        race -> new RunRaceTest(race).noEventIsBeforeTheOneBeforeItThoughTheClockWasSetBack()));
    }

    private static Stream<Guard> sessions() {
        return Stream.of(
                new Guard(
                        "save session: the session is locked before it is judged",
                        SAVE,
                        " for no key update of t",
                        "",
                        race -> new SessionRaceTest(race).ofTwoSavesOfOneRevisionTheSecondIsAConflict()),
                new Guard(
                        "save session: a lost insert is no violation",
                        SAVE,
                        "on conflict (scope, id) do nothing",
                        "",
                        race -> new SessionRaceTest(race).ofTwoFirstSavesTheSecondHearsTheRevisionOfTheFirst()));
    }
}
