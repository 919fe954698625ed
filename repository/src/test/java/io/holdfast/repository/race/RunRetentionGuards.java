package io.holdfast.repository.race;

import java.util.function.Consumer;
import java.util.stream.Stream;

/** Guards of the statements that remove what belongs to runs. */
final class RunRetentionGuards {

    private static final String COUNT = "(select count(*) from able) as gone";
    private static final String REMOVE = "cut as materialized (select w.id from weighed";
    private static final String EMPTY = "emptied_at = clock_timestamp()";
    private static final String CUT = "shortened as (";

    private RunRetentionGuards() {}

    static Stream<Guard> all() {
        return Stream.of(needed(), locks(), others()).flatMap(guards -> guards);
    }

    private static Guard removing(String name, String guard, String without, Consumer<RunRetentionRaceTest> scenario) {
        return new Guard(
                "retention of runs: " + name,
                REMOVE,
                guard,
                without,
                race -> scenario.accept(new RunRetentionRaceTest(race)));
    }

    private static Stream<Guard> needed() {
        return Stream.of(
                removing(
                        "no effect of unknown outcome",
                        "b.status not in ('confirmed', 'resolved')",
                        "false",
                        RunRetentionRaceTest::aRunWithAnEffectOfUnknownOutcomeStays),
                removing(
                        "no approval that is not settled",
                        "b.status not in ('rejected', 'consumed', 'withdrawn')",
                        "false",
                        RunRetentionRaceTest::aRunWithAnApprovalThatIsNotSettledStays),
                removing(
                        "none of the journal's family is unfinished",
                        "b.finished_at is null and b.id || '/' >=",
                        "false and b.id || '/' >=",
                        RunRetentionRaceTest::aRunThatIsParkedInTheJournalStaysInTheOtherStores),
                removing(
                        "a part is of the family",
                        "b.finished_at is null and b.id || '/' >=",
                        "b.finished_at is null and b.id = n.run and b.id || '/' >=",
                        RunRetentionRaceTest::aPartOfARunThatIsAtWorkStaysAndARunWithSuchAPart),
                removing(
                        "the family ends with its slash",
                        "split_part(n.run, '/', 1) || '0'",
                        "split_part(n.run, '/', 1) || '~'",
                        RunRetentionRaceTest::aRunOfAnotherFamilyWithTheSameBeginningDoesNotKeepIt),
                removing(
                        "no unfinished checkpoint",
                        "b.finished_at is null and b.run_id || '/' >=",
                        "false and b.run_id || '/' >=",
                        RunRetentionRaceTest::aRunWhoseCheckpointIsNotTheLastStays),
                removing(
                        "no unfinished agent",
                        "b.status not in ('finished', 'purged')",
                        "false",
                        RunRetentionRaceTest::aRunWhoseAgentHasNotFinishedStays),
                removing(
                        "not at work in its own store",
                        "b.status = 'running' and",
                        "false and",
                        RunRetentionRaceTest::aRunThatIsAtWorkInItsOwnStoreStays),
                removing(
                        "no unfinished parent by name",
                        "p.finished_at is null",
                        "false",
                        RunRetentionRaceTest::aRunThatNamesAnUnfinishedParentStays),
                removing(
                        "no unfinished part by name",
                        "b.parent_id = n.run and b.finished_at is null",
                        "false",
                        RunRetentionRaceTest::aRunThatAnUnfinishedOneNamesAsItsParentStays));
    }

    private static Stream<Guard> locks() {
        return Stream.of(
                removing(
                        "a lease is locked before it is relied on",
                        " for no key update of x skip locked",
                        "",
                        RunRetentionRaceTest::aRenewalThatIsUnderWayWhenTheLeaseRunsOutKeepsTheRun),
                removing(
                        "a lease that somebody has is none that is free",
                        "d.id not in (select id from leased)",
                        "true",
                        RunRetentionRaceTest::aTakeoverThatIsUnderWayKeepsTheRun),
                removing(
                        "leases are not waited for",
                        " for no key update of x skip locked",
                        " for no key update of x",
                        RunRetentionRaceTest::aTakeoverThatIsUnderWayKeepsTheRun),
                removing(
                        "runs are not waited for",
                        " for update of t skip locked",
                        " for update of t",
                        RunRetentionRaceTest::aRunThatSomebodyHasLockedIsPassedByAndNotWaitedFor),
                removing(
                        "a run is locked, so that who is removing it is not waited for",
                        " for update of t skip locked",
                        "",
                        RunRetentionRaceTest::aRunThatSomebodyElseIsRemovingKeepsNoOtherFromBeingRemoved));
    }

    private static Stream<Guard> others() {
        return Stream.of(
                removing(
                        "the age is that of the last write",
                        "t.updated_at <= ",
                        "t.created_at <= ",
                        RunRetentionRaceTest::whatBeganLongAgoAndWasJustWrittenIsNotOld),
                removing(
                        "only those of the status",
                        "t.status = ?",
                        "(t.status = ? or true)",
                        RunRetentionRaceTest::whatEndedOtherwiseStays),
                removing(
                        "a batch is full by what goes with its rows, too",
                        "where w.before < ?",
                        "where (w.before < ? or true)",
                        RunRetentionRaceTest::aRunWithMuchBehindItMakesTheBatchFull),
                new Guard(
                        "retention of runs: a plan does not count whose lease is held",
                        COUNT,
                        "x.owner is null or x.expires_at <= clock_timestamp()",
                        "true",
                        race -> new RunRetentionRaceTest(race).aRunWhoseLeaseIsHeldStays()),
                new Guard(
                        "retention of sessions: emptying is a write, so that who read before is late",
                        EMPTY,
                        "revision = t.revision + 1, message_count",
                        "revision = t.revision, message_count",
                        race -> new LateWriteAfterPurgeTest(race)
                                .aTranscriptThatWasEmptiedIsNotBroughtBackByWhoReadItBefore()),
                new Guard(
                        "retention of sessions: nobody is waited for",
                        EMPTY,
                        " for no key update of t skip locked",
                        "",
                        race -> new LateWriteAfterPurgeTest(race).aSaveThatIsUnderWayKeepsTheTranscript()),
                new Guard(
                        "retention of histories: nobody has the lease",
                        CUT,
                        " for no key update of x skip locked",
                        "",
                        race -> new RunRetentionRaceTest(race).aHistoryWhoseRunSomebodyIsTakingIsNotCut()),
                new Guard(
                        "retention of histories: only of runs that ended long ago",
                        CUT,
                        "t.finished_at <= (select clock_timestamp()) - ",
                        "t.finished_at <= (select clock_timestamp()) + ",
                        race -> new RunRetentionRaceTest(race).aHistoryStaysForAsLongAsItsRunEndedNotLongAgo()));
    }
}
