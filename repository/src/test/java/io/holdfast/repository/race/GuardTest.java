package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.StoreUnavailableException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each guard of each statement, taken out: the race that it is for, which is won with it, must then be lost. So none is
 * there for nothing, and no race passes for nothing.
 */
class GuardTest {

    /** The clock that is read behind the locks, and in its place the one of the statement's, or transaction's, beginning. */
    private static final String LATE = "select clock_timestamp() as at";

    private static final String EARLY = "select now() as at";

    /** What only the text of this statement holds. */
    private static final String ACQUIRE = "floor as materialized";

    private static final String RENEW = "(select count(*) from held) first), renewed as";
    private static final String RELEASE = "released as ( update";
    private static final String RENEW_ALL = "unnest(";
    private static final String BEGIN = "else 'RESUMED' end";
    private static final String STEP = "else 'RESERVED' end";
    private static final String FINISH = "'KEY_RESERVATION'";
    private static final String UPDATE_FENCED = "(select count(*) from stored) first), judged as materialized ( select m.at, case when t.incarnation";

    /**
     * @param name what the guard is for
     * @param of the statement
     * @param guard its text
     * @param without what stands there without it
     */
    private record Guard(String name, String of, String guard, String without, Consumer<Race> scenario) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Guard> guards() {
        return Stream.of(
                        acquire(), renew(), begin(), finish(), step(), updateFenced())
                .flatMap(guards -> guards);
    }

    private static Stream<Guard> acquire() {
        return Stream.of(
                new Guard("acquire: the clock is read behind the lock", ACQUIRE, LATE, EARLY, race ->
                        new AcquireRaceTest(race).aGrantThatWaitedForALockHasItsWholeTime()),
                new Guard("acquire: not now(), which is the start of the caller's transaction", ACQUIRE, LATE,
                        EARLY, race -> new AcquireRaceTest(race).aTransactionOpenedLongAgoDoesNotShortenALease()),
                new Guard("acquire: the row is locked before it is judged", ACQUIRE, " for update of x", "", race ->
                        new AcquireRaceTest(race).whoWaitedForARivalThatTookOverIsBusyUntilTheRivalsEnd()),
                new Guard("acquire: with a lock that waits for fenced writers", ACQUIRE, " for update of x",
                        " for no key update of x", race ->
                                new AcquireRaceTest(race).aTakeoverWaitsForTheFormerHoldersFencedWrite()),
                new Guard("acquire: who finds it busy takes no lock", ACQUIRE, "and not exists (select from seen where owner <> ?",
                        "and not exists (select from seen where owner <> ? and false", race ->
                                new AcquireRaceTest(race).aBusyLeaseIsToldSoWithoutWaitingForWhoeverHasItLocked()),
                new Guard("acquire: a new row starts above the floor", ACQUIRE, "f.floor + 1", "0 + 1", race ->
                        new AcquireRaceTest(race).aGrantAfterAPurgeInBetweenIsAboveThePurgedToken()),
                new Guard("acquire: the floor is locked, so that it is the newest", ACQUIRE, " for share of f", "", race ->
                        new AcquireRaceTest(race).aFirstGrantThatWaitedForAPurgeIsAboveTheRaisedFloor()),
                new Guard("acquire: an insert that waited looks at what is left", ACQUIRE, "'0.9 milliseconds'",
                        "'-9 milliseconds'", race ->
                                new AcquireRaceTest(race).aFirstGrantThatWaitedForARivalsLostInsertHasItsWholeTime()),
                new Guard("acquire: a lost insert is no violation", ACQUIRE, "on conflict (scope, kind, id) do nothing", "",
                        race -> new AcquireRaceTest(race).whoLosesTheFirstGrantOfAKeyIsBusy()),
                new Guard("acquire: the last token stays", ACQUIRE, " and h.token < 9223372036854775807", "", race ->
                        new AcquireRaceTest(race).aLeaseWithoutTokensLeftIsNotTakenOverAndSaysSo()),
                new Guard("release: of this token alone", RELEASE, "and x.token = ?", "and (x.token = ? or true) and (x.owner <> '')",
                        race -> new AcquireRaceTest(race).aReleaseByARestartedOwnersFormerSelfFreesNothing()));
    }

    private static Stream<Guard> renew() {
        return Stream.of(
                new Guard("renew: the clock is read behind the lock", RENEW, LATE, EARLY, race ->
                        new RenewRaceTest(race).aRenewalThatWaitedPastTheEndIsLost()),
                new Guard("renew: the row is locked before it is judged", RENEW, " for no key update of x", "", race ->
                        new RenewRaceTest(race).aRenewalThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard("renew: without a lock that fenced writers wait for", RENEW, " for no key update of x",
                        " for update of x", race ->
                                new RenewRaceTest(race).aHeartbeatRunsDuringAnOpenFencedBusinessTransaction()),
                new Guard("renew: never shortens", RENEW, "greatest(x.expires_at, m.at + x.ttl_ms * interval '1 millisecond')",
                        "m.at + x.ttl_ms * interval '1 millisecond'", race ->
                                new RenewRaceTest(race).aRenewalThatWaitedForALongerOneDoesNotShortenIt()),
                new Guard("renewAll: waits for nobody", RENEW_ALL, " skip locked", "", race ->
                        new RenewRaceTest(race).ofManyRenewedAtOnceALockedOneIsDeferredAndALostOneIsSaidToBe()),
                new Guard("renewAll: rows are locked before they are judged", RENEW_ALL, " for no key update of x skip locked",
                        "", race ->
                                new RenewRaceTest(race).aRenewalOfManyDefersATakeoverThatIsUnderWayAndChangesNothing()));
    }

    private interface Scenarios {
        FencedWriteRaces of(Race race);
    }

    private static Stream<Guard> fencedWrite(String name, String of, Scenarios scenarios) {
        String same = of.equals(STEP) ? "when f.same" : "when t.same";
        String fence = of.equals(STEP) ? "when f.owner = 'a' and " : "when h.owner = 'a' and ";
        return Stream.of(
                new Guard(name + ": the clock is read behind all locks", of, LATE, EARLY, race ->
                        scenarios.of(race).aWriteThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard(name + ": the state is locked before it is judged", of, " for no key update of w", "", race ->
                        scenarios.of(race).aRevisionThatRoseMeanwhileIsAConflict()),
                new Guard(name + ": a row made anew is another", of, "incarnation <> ? then 'NOT_FOUND'",
                        "incarnation <> ? and false then 'NOT_FOUND'", race ->
                                scenarios.of(race).aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother()),
                new Guard(name + ": a repeat is known before the fence is looked at", of, same, same.replace("when ", fence), race ->
                        scenarios.of(race).aRepeatHearsAlreadyAppliedAndWritesNothing()),
                new Guard(name + ": the revision is the one that was read", of, "revision <> ? then 'REVISION'",
                        "revision <> ? and false then 'REVISION'", race ->
                                scenarios.of(race).aRevisionThatRoseMeanwhileIsAConflict()));
    }

    private static Stream<Guard> finish() {
        return Stream.concat(fencedWrite("finish", FINISH, FinishRaceTest::new), Stream.of(
                new Guard("finish: the lease is locked, so that nobody takes it over", FINISH, " for no key update of x", "",
                        race -> new FinishRaceTest(race).aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                new Guard("finish: the lease is locked before it is judged", FINISH, " for no key update of x", "", race ->
                        new FinishRaceTest(race).aWriteThatWaitedForARestartOfItsOwnerIsRefused()),
                new Guard("finish: the key is locked before it is judged", FINISH, " for no key update of i", "", race ->
                        new FinishRaceTest(race).aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                new Guard("finish: the reservation is the one that was made", FINISH, "reservation <> ? then",
                        "reservation <> ? and false then", race ->
                                new FinishRaceTest(race).aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder()),
                new Guard("finish: state and key are written by one verdict", FINISH, "from judged j where j.verdict = 'DONE' and i.scope",
                        "from judged j where i.scope", race ->
                                new FinishRaceTest(race).aRevisionThatRoseMeanwhileIsAConflict())));
    }

    private static Stream<Guard> begin() {
        return Stream.of(
                new Guard("begin: the clock is read behind all locks", BEGIN, LATE, EARLY, race ->
                        new BeginRaceTest(race).aBeginThatWaitedForTheKeyPastTheEndOfTheLeaseIsLost()),
                new Guard("begin: also where there is no key", BEGIN, "from (select count(*) from held) first, (select count(*) from stored) second", "from (select count(*) from stored) second", race ->
                        new BeginRaceTest(race).aBeginThatWaitedForTheLeasePastItsEndIsLost()),
                new Guard("begin: the lease is locked before it is judged", BEGIN, " order by x.id for no key update of x", "",
                        race -> new BeginRaceTest(race).aBeginThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard("begin: the other lease is locked before it is relied on to be dead", BEGIN,
                        " order by x.id for no key update of x", "", race ->
                                new BeginRaceTest(race).aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept()),
                new Guard("begin: leases are locked in the order of keys", BEGIN, "order by x.id for",
                        "order by x.id = (select s.workflow_id from seen s) for", race ->
                                new BeginRaceTest(race)
                                        .leasesAreLockedInTheOrderOfTheirKeysSoThatCrossedBeginsDoNotDeadlock()),
                new Guard("begin: a live lease of another workflow is not waited for", BEGIN, "and not exists (select from kept)", "",
                        race -> new BeginRaceTest(race).anotherWorkflowThatIsAtWorkKeepsItsKeyAndIsNotDisturbed()),
                new Guard("begin: the key is locked before it is judged", BEGIN, " for no key update of i", "", race ->
                        new BeginRaceTest(race).aKeyThatWasCompletedMeanwhileIsCompleted()),
                new Guard("begin: a lapsed key is looked at behind its lock", BEGIN, " for no key update of i", "", race ->
                        new BeginRaceTest(race).aLapsedKeyThatARivalTookMeanwhileIsTheRivals()),
                new Guard("begin: a lost insert is no violation", BEGIN, "on conflict (scope, key) do nothing", "", race ->
                        new BeginRaceTest(race).aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing()),
                new Guard("begin: the lease is renewed only with the key", BEGIN, "exists (select from reserved)",
                        "j.verdict in ('NEW', 'LAPSED')", race ->
                                new BeginRaceTest(race).aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing()));
    }

    private static Stream<Guard> step() {
        return Stream.concat(fencedWrite("step", STEP, StepRaceTest::new), Stream.of(
                new Guard("step: the clock is read behind all locks, also where there is no key", STEP, "from (select count(*) from held) first, (select count(*) from stored) second, (select", "from (select", race ->
                        new StepRaceTest(race).aStepOnAFreshKeyThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused()),
                new Guard("step: who sees the state but not its key looks again", STEP, "f.revision_before <> f.revision", "false", race ->
                        new StepRaceTest(race).twoStepsOnOneFreshKeyAreWrittenOnce()),
                new Guard("step: the lease is locked, so that nobody takes it over", STEP,
                        " order by x.id for no key update of x", "", race ->
                                new StepRaceTest(race).aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                new Guard("step: the other lease is locked before it is relied on to be dead", STEP,
                        " order by x.id for no key update of x", "", race ->
                                new StepRaceTest(race).aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept()),
                new Guard("step: the key is locked before it is judged", STEP, " for no key update of i", "", race ->
                        new StepRaceTest(race).aKeyThatIsAnotherRequestsByNowIsNotCompleted()),
                new Guard("step: the state is written only with the key", STEP,
                        "from judged j, given g, done d where", "from judged j, given g where j.verdict in ('NEW', 'LAPSED', 'RESERVED') and",
                        race -> new StepRaceTest(race)
                                .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()),
                new Guard("step: the lease is released only with the key", STEP,
                        "from judged j, done d where", "from judged j where j.verdict in ('NEW', 'LAPSED', 'RESERVED') and",
                        race -> new StepRaceTest(race)
                                .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing()),
                new Guard("step: a lost insert is no violation", STEP, "on conflict (scope, key) do nothing", "", race ->
                        new StepRaceTest(race)
                                .aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing())));
    }

    private static Stream<Guard> updateFenced() {
        return Stream.concat(
                fencedWrite("updateFenced", UPDATE_FENCED, UpdateFencedRaceTest::new),
                Stream.of(
                        new Guard("updateFenced: the lease is locked, so that nobody takes it over", UPDATE_FENCED,
                                " for key share of x", "", race ->
                                        new UpdateFencedRaceTest(race)
                                                .aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover()),
                        new Guard("updateFenced: with a lock that a heartbeat does not wait for", UPDATE_FENCED,
                                " for key share of x", " for share of x", race ->
                                        new RenewRaceTest(race).aHeartbeatRunsDuringAnOpenFencedBusinessTransaction()),
                        new Guard("updateFenced: nor waits for a heartbeat", UPDATE_FENCED,
                                " for key share of x", " for share of x", race ->
                                        new RenewRaceTest(race)
                                                .aBusinessTransactionBeginsItsFencedWriteWhileTheHeartbeatIsUncommitted())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("guards")
    void aRaceIsLostWithoutItsGuard(Guard guard) throws Exception {
        AtomicBoolean taken = new AtomicBoolean();
        Throwable failure;
        try (Race race = new Race(sql -> {
            if (!sql.contains(guard.of())) {
                return sql;
            }
            assertThat(sql).contains(guard.guard());
            taken.set(true);
            return sql.replace(guard.guard(), guard.without());
        })) {
            failure = catchThrowable(() -> guard.scenario().accept(race));
        }
        assertThat(taken).as("the statement was sent, without its guard").isTrue();
        assertThat(failure).as("what the race ends in").isNotNull().isInstanceOf(AssertionError.class);
        assertThat(failure.getCause())
                .as("not because the statement is broken")
                .matches(cause -> !(cause instanceof StoreUnavailableException || cause instanceof SchemaMismatchException));
    }
}
