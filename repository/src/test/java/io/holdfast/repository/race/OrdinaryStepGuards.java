package io.holdfast.repository.race;

import java.util.function.Consumer;
import java.util.stream.Stream;

/** Guards of the statements that decide most steps. What they leave open, the full ones find out. */
final class OrdinaryStepGuards {

    private static final String BEGIN = "from fenced f left join fresh n";
    private static final String FINISH = "else 'DONE' end as verdict from keyed k)";
    private static final String STEP = "from stored s left join keyed k";
    private static final String HELD = "x.id = ? for no key update of x)";
    private static final String CLOCK = "clock_timestamp()";
    private static final String EXPIRED = "expires_at <= " + CLOCK + " then 'LOST_EXPIRED'";
    private static final String TOKEN = "token <> ?";
    private static final String ANY_LATER_TOKEN = "token < ?";

    private OrdinaryStepGuards() {}

    /** The statement, if it is one of these, as if there were no lease. */
    static String unanswered(String sql) {
        return Stream.of(BEGIN, FINISH, STEP).anyMatch(sql::contains)
                ? sql.replace(HELD, HELD.replace("for", "and false for"))
                : sql;
    }

    static Stream<Guard> all() {
        return Stream.of(begin(), finish(), step()).flatMap(guards -> guards);
    }

    private static Guard behindTheLocks(String name, String of, Consumer<Race> scenario) {
        return new Guard(
                name + ": the clock is read behind the locks", of, EXPIRED, EXPIRED.replace(CLOCK, "now()"), scenario);
    }

    private static Stream<Guard> begin() {
        return Stream.of(
                behindTheLocks(
                        "begin", BEGIN, race -> new BeginRaceTest(race).aBeginThatWaitedForTheLeasePastItsEndIsLost()),
                new Guard(
                        "begin: the lease is locked before it is judged",
                        BEGIN,
                        " for no key update of x",
                        "",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard(
                        "begin: the token is the one that was granted",
                        BEGIN,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard(
                        "begin: no lease is locked before one that a key may lapse with",
                        BEGIN,
                        "not exists (select from seen s where s.over)",
                        "true",
                        race -> new BeginRaceTest(race)
                                .leasesAreLockedInTheOrderOfTheirKeysSoThatCrossedBeginsDoNotDeadlock()),
                new Guard(
                        "begin: a key that is there is locked before it is judged",
                        BEGIN,
                        " for no key update of i",
                        "",
                        race -> new BeginRaceTest(race).aKeyThatWasCompletedMeanwhileIsCompleted()),
                new Guard(
                        "begin: a lost insert is no violation",
                        BEGIN,
                        "on conflict (scope, key) do nothing",
                        "",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing()));
    }

    private static Stream<Guard> finish() {
        return Stream.of(
                behindTheLocks(
                        "finish",
                        FINISH,
                        race -> new FinishRaceTest(race).aWriteThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "finish: the lease is locked, so that nobody takes it over",
                        FINISH,
                        " for no key update of x",
                        "",
                        race -> new FinishRaceTest(race).aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                new Guard(
                        "finish: the token is the one that was granted",
                        FINISH,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new FinishRaceTest(race).aWriteThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard(
                        "finish: the state is locked before it is judged",
                        FINISH,
                        " for no key update of w",
                        "",
                        race -> new FinishRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "finish: the revision is the one that was read",
                        FINISH,
                        "k.revision <> ?",
                        "k.revision < ?",
                        race -> new FinishRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "finish: a row made anew is another",
                        FINISH,
                        "k.incarnation <> cast(? as uuid)",
                        "cast(? as uuid) is null",
                        race -> new FinishRaceTest(race).aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother()),
                new Guard(
                        "finish: a repeat is told what it did, whatever the fence says",
                        FINISH,
                        "when k.same",
                        "when k.owner = 'a' and k.same",
                        race -> new FinishRaceTest(race).aRepeatHearsAlreadyAppliedAndWritesNothing()),
                new Guard(
                        "finish: the key is locked before it is judged",
                        FINISH,
                        " for no key update of i",
                        "",
                        race -> new FinishRaceTest(race)
                                .aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                new Guard(
                        "finish: the reservation is the one that was made",
                        FINISH,
                        "k.reservation <> ?",
                        "k.reservation < ?",
                        race -> new FinishRaceTest(race)
                                .aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                new Guard(
                        "finish: a key that was completed keeps its outcome",
                        FINISH,
                        "when k.key_status = 'completed'",
                        "when false",
                        race -> new FinishRaceTest(race).aKeyThatWasCompletedMeanwhileKeepsItsOutcome()));
    }

    private static Stream<Guard> step() {
        return Stream.of(
                behindTheLocks(
                        "step",
                        STEP,
                        race -> new StepRaceTest(race)
                                .aStepOnAFreshKeyThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "step: the lease is locked, so that nobody takes it over",
                        STEP,
                        " for no key update of x",
                        "",
                        race -> new StepRaceTest(race).aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                new Guard(
                        "step: the token is the one that was granted",
                        STEP,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new StepRaceTest(race).aStepOnAFreshKeyThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard(
                        "step: the state is locked before it is judged",
                        STEP,
                        " for no key update of w",
                        "",
                        race -> new StepRaceTest(race).aStepOnAFreshKeyAndARevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "step: the revision is the one that was read",
                        STEP,
                        "s.revision <> ?",
                        "s.revision < ?",
                        race -> new StepRaceTest(race).aStepOnAFreshKeyAndARevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "step: a key that is there is locked before it is judged",
                        STEP,
                        " for no key update of i",
                        "",
                        race -> new StepRaceTest(race).aKeyOfAnotherRequestThatWasRemovedMeanwhileIsNoConflict()),
                new Guard(
                        "step: a lost insert is no violation",
                        STEP,
                        "on conflict (scope, key) do nothing",
                        "",
                        race -> new StepRaceTest(race)
                                .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()),
                new Guard(
                        "step: the state is written only with the key",
                        STEP,
                        "from judged j, given g, fresh where",
                        "from judged j, given g where j.verdict = 'NEW' and",
                        race -> new StepRaceTest(race)
                                .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()));
    }
}
