package io.holdfast.repository.race;

import java.util.stream.Stream;

/** Guards of the statements for a step that is as its worker believes. What they refuse, the full ones explain. */
final class OrdinaryStepGuards {

    private static final String BEGIN = "clock_timestamp() as at from held h";
    private static final String FINISH = "clock_timestamp() as at from keyed k";
    private static final String STEP = "clock_timestamp() as at from stored s";
    private static final String FENCE = "x.owner = ? and x.token = ? for no key update of x)";
    private static final String TOKEN = "and x.token = ? for";
    private static final String ANY_LATER_TOKEN = "and x.token >= ? for";
    private static final String REVISION = "and w.revision = ?";
    private static final String ANY_LATER_REVISION = "and w.revision >= ?";

    private OrdinaryStepGuards() {}

    /** The statement, if it is one of these, as if nothing were as its worker believes. */
    static String unanswered(String sql) {
        return Stream.of(BEGIN, FINISH, STEP).anyMatch(sql::contains) ? sql.replace(FENCE, "false and " + FENCE) : sql;
    }

    static Stream<Guard> all() {
        return Stream.of(begin(), finish(), step()).flatMap(guards -> guards);
    }

    private static String early(String clock) {
        return clock.replace("clock_timestamp()", "now()");
    }

    private static Stream<Guard> begin() {
        return Stream.of(
                new Guard(
                        "ordinary begin: the clock is read behind the lock",
                        BEGIN,
                        BEGIN,
                        early(BEGIN),
                        race -> new BeginRaceTest(race).aBeginThatWaitedForTheLeasePastItsEndIsLost()),
                new Guard(
                        "ordinary begin: the lease is locked before it is judged",
                        BEGIN,
                        " for no key update of x",
                        "",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard(
                        "ordinary begin: the token is the one that was granted",
                        BEGIN,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard(
                        "ordinary begin: a lost insert is no violation",
                        BEGIN,
                        "on conflict (scope, key) do nothing",
                        "",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing()));
    }

    private static Stream<Guard> finish() {
        return Stream.of(
                new Guard(
                        "ordinary finish: the clock is read behind all locks",
                        FINISH,
                        FINISH,
                        early(FINISH),
                        race -> new FinishRaceTest(race).aWriteThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "ordinary finish: the lease is locked, so that nobody takes it over",
                        FINISH,
                        " for no key update of x",
                        "",
                        race -> new FinishRaceTest(race).aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                new Guard(
                        "ordinary finish: the token is the one that was granted",
                        FINISH,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new FinishRaceTest(race).aWriteThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard(
                        "ordinary finish: the state is locked before it is judged",
                        FINISH,
                        " for no key update of w",
                        "",
                        race -> new FinishRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "ordinary finish: the revision is the one that was read",
                        FINISH,
                        REVISION,
                        ANY_LATER_REVISION,
                        race -> new FinishRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "ordinary finish: a row made anew is another",
                        FINISH,
                        "and w.incarnation = cast(? as uuid)",
                        "and cast(? as uuid) is not null",
                        race -> new FinishRaceTest(race).aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother()),
                new Guard(
                        "ordinary finish: the key is locked before it is judged",
                        FINISH,
                        " for no key update of i",
                        "",
                        race -> new FinishRaceTest(race)
                                .aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                new Guard(
                        "ordinary finish: the reservation is the one that was made",
                        FINISH,
                        "and i.reservation = ?",
                        "and i.reservation >= ?",
                        race -> new FinishRaceTest(race)
                                .aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()));
    }

    private static Stream<Guard> step() {
        return Stream.of(
                new Guard(
                        "ordinary step: the clock is read behind all locks",
                        STEP,
                        STEP,
                        early(STEP),
                        race -> new StepRaceTest(race)
                                .aStepOnAFreshKeyThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "ordinary step: the lease is locked, so that nobody takes it over",
                        STEP,
                        " for no key update of x",
                        "",
                        race -> new StepRaceTest(race).aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                new Guard(
                        "ordinary step: the token is the one that was granted",
                        STEP,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new StepRaceTest(race).aStepOnAFreshKeyThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard(
                        "ordinary step: the state is locked before it is judged",
                        STEP,
                        " for no key update of w",
                        "",
                        race -> new StepRaceTest(race).aStepOnAFreshKeyAndARevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "ordinary step: the revision is the one that was read",
                        STEP,
                        REVISION,
                        ANY_LATER_REVISION,
                        race -> new StepRaceTest(race).aStepOnAFreshKeyAndARevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "ordinary step: a lost insert is no violation",
                        STEP,
                        "on conflict (scope, key) do nothing",
                        "",
                        race -> new StepRaceTest(race)
                                .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()),
                new Guard(
                        "ordinary step: the state is written only with the key",
                        STEP,
                        "from live l, fresh where",
                        "from live l where",
                        race -> new StepRaceTest(race)
                                .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()));
    }
}
