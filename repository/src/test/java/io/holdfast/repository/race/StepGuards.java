package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;
import static io.holdfast.repository.race.Guard.LOOKED_AT_AGAIN;
import static io.holdfast.repository.race.Guard.LOST;

import java.util.function.Consumer;
import java.util.stream.Stream;

/** Guards of the functions that are the steps of a worker, and of the statement that writes a state under a lease. */
final class StepGuards {

    private static final String BEGIN = "step_begin_v1";
    private static final String FINISH = "step_finish_v1";
    private static final String STEP = "step_whole_v1";
    private static final String OTHERS = "step_others_end_v1";
    private static final String CLOCK = "moment := clock_timestamp()";
    private static final String EARLY_CLOCK = "moment := now()";
    private static final String LEASE = "x.id = in_workflow for no key update of x;";
    private static final String LEASE_NOT_LOCKED = "x.id = in_workflow;";
    private static final String KEY_LOCK = " for no key update of i";
    private static final String TOKEN = "held.token <> in_token";
    private static final String ANY_LATER_TOKEN = "held.token < in_token";
    private static final String KNOWN = "when keyed.status not in ('reserved', 'completed')";
    private static final String INSERT = "on conflict (scope, key) do nothing";

    private static final String WAITED = "clock_timestamp() > moment + in_keep_ms * interval '0.1 milliseconds'";
    private static final String NEVER = "false";

    private static final String UPDATE_FENCED =
            "(select count(*) from stored) first), judged as materialized ( select m.at, case when t.incarnation";

    private StepGuards() {}

    static Stream<Guard> all() {
        return Stream.of(begin(), others(), finish(), step(), newer(), updateFenced())
                .flatMap(guards -> guards);
    }

    private interface Scenarios {
        FencedWriteRaces of(Race race);
    }

    private static Stream<Guard> begin() {
        return Stream.of(
                begin(
                        "the clock is read behind the lock of the lease",
                        CLOCK,
                        EARLY_CLOCK,
                        BeginRaceTest::aBeginThatWaitedForTheLeasePastItsEndIsLost),
                begin(
                        "the clock is read behind the lock of the key",
                        CLOCK,
                        EARLY_CLOCK,
                        BeginRaceTest::aBeginThatWaitedForTheKeyPastTheEndOfTheLeaseIsLost),
                begin(
                        "the lease is locked before it is judged",
                        LEASE,
                        LEASE_NOT_LOCKED,
                        BeginRaceTest::aBeginThatWaitedForARestartOfItsOwnerIsLost),
                begin(
                        "the token is the one that was granted",
                        TOKEN,
                        ANY_LATER_TOKEN,
                        BeginRaceTest::aBeginThatWaitedForARestartOfItsOwnerIsLost),
                begin(
                        "a key that is there is locked before it is judged",
                        KEY_LOCK,
                        "",
                        BeginRaceTest::aKeyThatWasCompletedMeanwhileIsCompleted),
                begin(
                        "a lost insert is no violation",
                        INSERT,
                        "",
                        BeginRaceTest::aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing),
                begin(
                        "an insert that waited looks at what is left",
                        WAITED,
                        NEVER,
                        BeginRaceTest::aKeyThatWaitedForARivalsLostInsertHasItsWholeTime),
                begin(
                        "the lease is renewed only with the key",
                        "exit when reservation is not null;",
                        "exit;",
                        BeginRaceTest::aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing));
    }

    private static Guard begin(String name, String guard, String without, Consumer<BeginRaceTest> scenario) {
        return Guard.ofFunction(
                "begin: " + name, BEGIN, guard, without, race -> scenario.accept(new BeginRaceTest(race)));
    }

    private static Stream<Guard> others() {
        return Stream.of(
                Guard.ofFunction(
                        "begin: the other lease is locked before it is relied on to be dead",
                        OTHERS,
                        " order by x.id for no key update of x",
                        "",
                        race -> new BeginRaceTest(race).aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept()),
                Guard.ofFunction(
                        "step: the other lease is locked before it is relied on to be dead",
                        OTHERS,
                        " order by x.id for no key update of x",
                        "",
                        race -> new StepRaceTest(race).aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept()),
                Guard.ofFunction(
                        "begin: leases are locked in the order of keys",
                        OTHERS,
                        "order by x.id for",
                        "order by x.id desc for",
                        race -> new BeginRaceTest(race)
                                .leasesAreLockedInTheOrderOfTheirKeysSoThatCrossedBeginsDoNotDeadlock()),
                Guard.ofFunction(
                        "begin: a live lease of another workflow is not waited for",
                        OTHERS,
                        "if ends is null",
                        "if true",
                        race -> new BeginRaceTest(race).anotherWorkflowThatIsAtWorkKeepsItsKeyAndIsNotDisturbed()));
    }

    /** What {@code finish} and {@code step} have in common. */
    private static Stream<Guard> fencedStep(String name, String of, Scenarios scenarios) {
        return Stream.of(
                Guard.ofFunction(
                        name + ": the clock is read behind the locks",
                        of,
                        CLOCK,
                        EARLY_CLOCK,
                        race -> scenarios.of(race).aWriteThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                Guard.ofFunction(
                        name + ": the lease is locked, so that nobody takes it over",
                        of,
                        LEASE,
                        LEASE_NOT_LOCKED,
                        race -> scenarios.of(race).aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                Guard.ofFunction(
                        name + ": the lease is locked before it is judged",
                        of,
                        LEASE,
                        LEASE_NOT_LOCKED,
                        race -> scenarios.of(race).aWriteThatWaitedForARestartOfItsOwnerIsRefused()),
                Guard.ofFunction(
                        name + ": the token is the one that was granted",
                        of,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> scenarios.of(race).aWriteThatWaitedForARestartOfItsOwnerIsRefused()),
                Guard.ofFunction(
                        name + ": the state is locked before it is judged",
                        of,
                        " for no key update of w",
                        "",
                        race -> scenarios.of(race).aRevisionThatRoseMeanwhileIsAConflict()),
                Guard.ofFunction(
                        name + ": the revision is the one that was read",
                        of,
                        "stored.revision <> in_revision",
                        "stored.revision < in_revision",
                        race -> scenarios.of(race).aRevisionThatRoseMeanwhileIsAConflict()),
                Guard.ofFunction(
                        name + ": a row made anew is another",
                        of,
                        " or stored.incarnation <> in_incarnation",
                        "",
                        race -> scenarios.of(race).aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother()),
                Guard.ofFunction(
                        name + ": a repeat is told what it did, whatever the fence says",
                        of,
                        "when stored.same",
                        "when held.owner = 'a' and stored.same",
                        race -> scenarios.of(race).aRepeatHearsAlreadyAppliedAndWritesNothing()));
    }

    private static Stream<Guard> finish() {
        return Stream.concat(
                fencedStep("finish", FINISH, FinishRaceTest::new),
                Stream.of(
                        finish(
                                "the key is locked before it is judged",
                                KEY_LOCK,
                                "",
                                FinishRaceTest::aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder),
                        finish(
                                "the reservation is the one that was made",
                                "keyed.reservation <> in_reservation",
                                "keyed.reservation < in_reservation",
                                FinishRaceTest::aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder),
                        finish(
                                "a key that was completed keeps its outcome",
                                "when keyed.status = 'completed'",
                                "when false",
                                FinishRaceTest::aKeyThatWasCompletedMeanwhileKeepsItsOutcome),
                        finish(
                                "nothing is written without the verdict",
                                "if verdict = 'DONE'",
                                "if true",
                                FinishRaceTest::aRevisionThatRoseMeanwhileIsAConflict)));
    }

    private static Guard finish(String name, String guard, String without, Consumer<FinishRaceTest> scenario) {
        return Guard.ofFunction(
                "finish: " + name, FINISH, guard, without, race -> scenario.accept(new FinishRaceTest(race)));
    }

    private static Stream<Guard> step() {
        return Stream.concat(
                fencedStep("step", STEP, StepRaceTest::new),
                Stream.of(
                        step(
                                "the clock is read behind the lock of the state, also where there is no key",
                                CLOCK,
                                EARLY_CLOCK,
                                StepRaceTest::aStepOnAFreshKeyThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused),
                        step(
                                "who finds the state written looks for the key again",
                                " or stored.same",
                                "",
                                StepRaceTest::twoStepsOnOneFreshKeyAreWrittenOnce),
                        step(
                                "a key that is there is locked before it is judged",
                                KEY_LOCK,
                                "",
                                StepRaceTest::aKeyOfAnotherRequestThatWasRemovedMeanwhileIsNoConflict),
                        step(
                                "a key that is there is locked before it is completed",
                                KEY_LOCK,
                                "",
                                StepRaceTest::aKeyThatIsAnotherRequestsByNowIsNotCompleted),
                        step(
                                "a lost insert is no violation",
                                INSERT,
                                "",
                                StepRaceTest::aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing),
                        step(
                                "an insert that waited looks at what is left",
                                WAITED,
                                NEVER,
                                StepRaceTest::aKeyThatWaitedForARivalsLostInsertHasItsWholeTime),
                        step(
                                "state and lease are written only with the key",
                                "exit when found;",
                                "exit;",
                                StepRaceTest::aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing)));
    }

    private static Guard step(String name, String guard, String without, Consumer<StepRaceTest> scenario) {
        return Guard.ofFunction("step: " + name, STEP, guard, without, race -> scenario.accept(new StepRaceTest(race)));
    }

    private static Stream<Guard> newer() {
        return Stream.of(
                newer("begin", BEGIN, NewerKeyRaceTest::aStepIsNotResumed),
                newer("finish", FINISH, NewerKeyRaceTest::aStepIsNotFinished),
                newer("step", STEP, NewerKeyRaceTest::aWholeStepIsNotWritten));
    }

    private static Guard newer(String name, String of, Consumer<NewerKeyRaceTest> scenario) {
        return Guard.ofFunction(
                name + ": a key's status is one that is known",
                of,
                KNOWN,
                "when false",
                race -> scenario.accept(new NewerKeyRaceTest(race)));
    }

    private static Stream<Guard> updateFenced() {
        return Stream.concat(
                updateFencedAsEveryWrite(),
                Stream.of(
                        new Guard(
                                "updateFenced: the lease is locked, so that nobody takes it over",
                                UPDATE_FENCED,
                                " for key share of x",
                                "",
                                race -> new UpdateFencedRaceTest(race)
                                        .aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                        new Guard(
                                "updateFenced: a lease that was given back with what was waited for is looked at again",
                                UPDATE_FENCED,
                                "when t.place is distinct from s.place then 'AGAIN'",
                                "",
                                race -> new UpdateFencedRaceTest(race)
                                        .aWriteThatWaitedForOneWithWhichTheLeaseWasGivenBackIsRefused()),
                        new Guard(
                                "updateFenced: with a lock that a heartbeat does not wait for",
                                UPDATE_FENCED,
                                " for key share of x",
                                " for share of x",
                                race -> new RenewRaceTest(race).aHeartbeatRunsDuringAnOpenFencedBusinessTransaction()),
                        new Guard(
                                "updateFenced: nor waits for a heartbeat",
                                UPDATE_FENCED,
                                " for key share of x",
                                " for share of x",
                                race -> new RenewRaceTest(race)
                                        .aBusinessTransactionBeginsItsFencedWriteWhileTheHeartbeatIsUncommitted())));
    }

    private static Stream<Guard> updateFencedAsEveryWrite() {
        return Stream.of(
                new Guard(
                        "updateFenced: the clock is read behind all locks",
                        UPDATE_FENCED,
                        LATE,
                        EARLY,
                        race -> new UpdateFencedRaceTest(race)
                                .aWriteThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        "updateFenced: a lease that may have been renewed meanwhile is looked at again",
                        UPDATE_FENCED,
                        LOOKED_AT_AGAIN,
                        LOST,
                        race -> new UpdateFencedRaceTest(race)
                                .aWriteThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten()),
                new Guard(
                        "updateFenced: the token is the one that was granted",
                        UPDATE_FENCED,
                        Guard.TOKEN,
                        Guard.ANY_LATER_TOKEN,
                        race -> new UpdateFencedRaceTest(race).aWriteThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard(
                        "updateFenced: the state is locked before it is judged",
                        UPDATE_FENCED,
                        " for no key update of w",
                        "",
                        race -> new UpdateFencedRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        "updateFenced: a row made anew is another",
                        UPDATE_FENCED,
                        "incarnation <> cast(? as uuid) then 'NOT_FOUND'",
                        "incarnation <> cast(? as uuid) and false then 'NOT_FOUND'",
                        race -> new UpdateFencedRaceTest(race).aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother()),
                new Guard(
                        "updateFenced: a repeat is known before the fence is looked at",
                        UPDATE_FENCED,
                        "when t.same",
                        "when h.owner = 'a' and t.same",
                        race -> new UpdateFencedRaceTest(race).aRepeatHearsAlreadyAppliedAndWritesNothing()),
                new Guard(
                        "updateFenced: the revision is the one that was read",
                        UPDATE_FENCED,
                        "revision <> ? then 'REVISION'",
                        "revision <> ? and false then 'REVISION'",
                        race -> new UpdateFencedRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict()));
    }
}
