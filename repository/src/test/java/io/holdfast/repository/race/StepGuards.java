package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;

import java.util.stream.Stream;

/** Guards of the statements that write a state under a lease, and of the beginning of a step. */
final class StepGuards {

    private static final String BEGIN =
            "when f.over and f.at_work is not true then 'LAPSED' when f.request_id <> ? then 'REQUEST'";
    private static final String STEP = "else 'RESERVED' end";
    private static final String FINISH = "'KEY_NOT_FOUND'";
    private static final String UPDATE_FENCED =
            "(select count(*) from stored) first), judged as materialized ( select m.at, case when t.incarnation";

    private StepGuards() {}

    static Stream<Guard> all() {
        return Stream.of(begin(), finish(), step(), updateFenced()).flatMap(guards -> guards);
    }

    private interface Scenarios {
        FencedWriteRaces of(Race race);
    }

    private static Stream<Guard> begin() {
        return Stream.of(
                new Guard(
                        "begin in full: the clock is read behind all locks",
                        BEGIN,
                        LATE,
                        EARLY,
                        race -> new BeginRaceTest(race).aBeginThatWaitedForTheKeyPastTheEndOfTheLeaseIsLost()),
                new Guard(
                        "begin in full: also where there is no key",
                        BEGIN,
                        "from (select count(*) from held) first, (select count(*) from stored) second",
                        "from (select count(*) from stored) second",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForTheLeasePastItsEndIsLost()),
                new Guard(
                        "begin in full: the lease is locked before it is judged",
                        BEGIN,
                        " order by x.id for no key update of x",
                        "",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard(
                        "begin in full: the other lease is locked before it is relied on to be dead",
                        BEGIN,
                        " order by x.id for no key update of x",
                        "",
                        race -> new BeginRaceTest(race).aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept()),
                new Guard(
                        "begin in full: leases are locked in the order of keys",
                        BEGIN,
                        "order by x.id for",
                        "order by x.id = (select s.workflow_id from seen s) for",
                        race -> new BeginRaceTest(race)
                                .leasesAreLockedInTheOrderOfTheirKeysSoThatCrossedBeginsDoNotDeadlock()),
                new Guard(
                        "begin in full: a live lease of another workflow is not waited for",
                        BEGIN,
                        "and not exists (select from kept)",
                        "",
                        race -> new BeginRaceTest(race).anotherWorkflowThatIsAtWorkKeepsItsKeyAndIsNotDisturbed()),
                new Guard(
                        "begin in full: the key is locked before it is judged",
                        BEGIN,
                        " for no key update of i",
                        "",
                        race -> new BeginRaceTest(race).aKeyThatWasCompletedMeanwhileIsCompleted()),
                new Guard(
                        "begin in full: a lapsed key is looked at behind its lock",
                        BEGIN,
                        " for no key update of i",
                        "",
                        race -> new BeginRaceTest(race).aLapsedKeyThatARivalTookMeanwhileIsTheRivals()),
                new Guard(
                        "begin in full: a lost insert is no violation",
                        BEGIN,
                        "on conflict (scope, key) do nothing",
                        "",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing()),
                new Guard(
                        "begin in full: the lease is renewed only with the key",
                        BEGIN,
                        "exists (select from reserved)",
                        "j.verdict in ('NEW', 'LAPSED')",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing()));
    }

    private static Stream<Guard> fencedWrite(String name, String of, Scenarios scenarios) {
        String same = of.equals(STEP) ? "when f.same" : "when t.same";
        String fence = of.equals(STEP) ? "when f.owner = 'a' and " : "when h.owner = 'a' and ";
        return Stream.of(
                new Guard(
                        name + " in full: the clock is read behind all locks",
                        of,
                        LATE,
                        EARLY,
                        race -> scenarios.of(race).aWriteThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard(
                        name + " in full: the state is locked before it is judged",
                        of,
                        " for no key update of w",
                        "",
                        race -> scenarios.of(race).aRevisionThatRoseMeanwhileIsAConflict()),
                new Guard(
                        name + " in full: a row made anew is another",
                        of,
                        "incarnation <> cast(? as uuid) then 'NOT_FOUND'",
                        "incarnation <> cast(? as uuid) and false then 'NOT_FOUND'",
                        race -> scenarios.of(race).aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother()),
                new Guard(
                        name + " in full: a repeat is known before the fence is looked at",
                        of,
                        same,
                        same.replace("when ", fence),
                        race -> scenarios.of(race).aRepeatHearsAlreadyAppliedAndWritesNothing()),
                new Guard(
                        name + " in full: the revision is the one that was read",
                        of,
                        "revision <> ? then 'REVISION'",
                        "revision <> ? and false then 'REVISION'",
                        race -> scenarios.of(race).aRevisionThatRoseMeanwhileIsAConflict()));
    }

    private static Stream<Guard> finish() {
        return Stream.concat(
                fencedWrite("finish", FINISH, FinishRaceTest::new),
                Stream.of(
                        new Guard(
                                "finish in full: the lease is locked, so that nobody takes it over",
                                FINISH,
                                " for no key update of x",
                                "",
                                race -> new FinishRaceTest(race)
                                        .aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                        new Guard(
                                "finish in full: the lease is locked before it is judged",
                                FINISH,
                                " for no key update of x",
                                "",
                                race -> new FinishRaceTest(race).aWriteThatWaitedForARestartOfItsOwnerIsRefused()),
                        new Guard(
                                "finish in full: the key is locked before it is judged",
                                FINISH,
                                " for no key update of i",
                                "",
                                race -> new FinishRaceTest(race)
                                        .aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                        new Guard(
                                "finish in full: the reservation is the one that was made",
                                FINISH,
                                "reservation <> ? then",
                                "reservation <> ? and false then",
                                race -> new FinishRaceTest(race)
                                        .aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                        new Guard(
                                "finish in full: state and key are written by one verdict",
                                FINISH,
                                "from judged j where j.verdict = 'DONE' and i.scope",
                                "from judged j where i.scope",
                                race -> new FinishRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict())));
    }

    private static Stream<Guard> step() {
        return Stream.concat(
                fencedWrite("step", STEP, StepRaceTest::new),
                Stream.of(
                        new Guard(
                                "step in full: the clock is read behind all locks, also where there is no key",
                                STEP,
                                "from (select count(*) from held) first, (select count(*) from stored) second, (select",
                                "from (select",
                                race -> new StepRaceTest(race)
                                        .aStepOnAFreshKeyThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                        new Guard(
                                "step in full: who sees the state but not its key looks again",
                                STEP,
                                "f.revision_before <> f.revision",
                                "false",
                                race -> new StepRaceTest(race).twoStepsOnOneFreshKeyAreWrittenOnce()),
                        new Guard(
                                "step in full: the lease is locked, so that nobody takes it over",
                                STEP,
                                " order by x.id for no key update of x",
                                "",
                                race -> new StepRaceTest(race)
                                        .aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                        new Guard(
                                "step in full: the other lease is locked before it is relied on to be dead",
                                STEP,
                                " order by x.id for no key update of x",
                                "",
                                race -> new StepRaceTest(race).aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept()),
                        new Guard(
                                "step in full: the key is locked before it is judged",
                                STEP,
                                " for no key update of i",
                                "",
                                race -> new StepRaceTest(race).aKeyThatIsAnotherRequestsByNowIsNotCompleted()),
                        new Guard(
                                "step in full: the state is written only with the key",
                                STEP,
                                "from judged j, given g, done d where",
                                "from judged j, given g where j.verdict in ('NEW', 'LAPSED', 'RESERVED') and",
                                race -> new StepRaceTest(race)
                                        .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()),
                        new Guard(
                                "step in full: the lease is released only with the key",
                                STEP,
                                "from judged j, done d where",
                                "from judged j where j.verdict in ('NEW', 'LAPSED', 'RESERVED') and",
                                race -> new StepRaceTest(race)
                                        .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()),
                        new Guard(
                                "step in full: a lost insert is no violation",
                                STEP,
                                "on conflict (scope, key) do nothing",
                                "",
                                race -> new StepRaceTest(race)
                                        .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing())));
    }

    private static Stream<Guard> updateFenced() {
        return Stream.concat(
                fencedWrite("updateFenced", UPDATE_FENCED, UpdateFencedRaceTest::new),
                Stream.of(
                        new Guard(
                                "updateFenced: the lease is locked, so that nobody takes it over",
                                UPDATE_FENCED,
                                " for key share of x",
                                "",
                                race -> new UpdateFencedRaceTest(race)
                                        .aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
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
}
