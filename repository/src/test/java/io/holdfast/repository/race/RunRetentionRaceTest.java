package io.holdfast.repository.race;

import static io.holdfast.repository.race.EndedRun.ALL;
import static io.holdfast.repository.race.EndedRun.NOTHING;
import static io.holdfast.repository.race.EndedRun.NO_JOURNAL;
import static io.holdfast.repository.race.EndedRun.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunStatus;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retention of runs: what keeps one from being removed, and who comes in between. */
@ExtendWith(Race.Parameter.class)
class RunRetentionRaceTest {

    private static final LeaseKey LEASE = LeaseKey.ofRun(RUN);
    private static final Removed A_JOURNAL = Removed.of(Kind.JOURNALS, 1);
    private static final RetentionRule EXPIRED = RetentionRule.KEEP_ALL.withExpired(Duration.ZERO);

    private final Race race;

    RunRetentionRaceTest(Race race) {
        this.race = race;
    }

    private EndedRun journal() {
        return new EndedRun(race).journal(RUN, "completed");
    }

    private Lease held() {
        return Race.granted(race.stores.leases().acquire(LEASE, "worker", Race.TTL));
    }

    /** Neither counted nor removed, until what keeps it is settled. */
    private void staysUntil(EndedRun run, String settled) {
        assertThat(run.plan(NOTHING)).isEqualTo(Removed.NOTHING);
        assertThat(race.changingNothing(() -> run.run(NOTHING))).isEqualTo(Removed.NOTHING);
        race.sql(settled);
        assertThat(run.run(NOTHING).count(Kind.JOURNALS)).isPositive();
    }

    @Test
    void whatHasEndedGoesFromEveryStoreAndWithItWhatBelongsToIt() {
        EndedRun run = EndedRun.everywhere(race).effect("confirmed");
        assertThat(run.plan(NOTHING)).isEqualTo(ALL);
        assertThat(run.run(NOTHING)).isEqualTo(ALL);
        assertThat(race.dump()).isEqualTo("null");
    }

    // What keeps a run.

    @Test
    void aRunWhoseLeaseIsHeldStays() {
        EndedRun run = EndedRun.everywhere(race);
        Lease lease = held();
        assertThat(run.plan(NOTHING)).isEqualTo(Removed.NOTHING);
        assertThat(race.changingNothing(() -> run.run(NOTHING))).isEqualTo(Removed.NOTHING);
        race.stores.leases().release(LEASE, lease.fence());
        assertThat(run.run(NOTHING)).isEqualTo(ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pending", "indeterminate"})
    void aRunWithAnEffectOfUnknownOutcomeStays(String status) {
        staysUntil(
                EndedRun.everywhere(race).effect(status),
                "update holdfast.execution_effect set status = 'confirmed' where scope = :scope");
    }

    void aRunWithAnEffectOfUnknownOutcomeStays() {
        aRunWithAnEffectOfUnknownOutcomeStays("indeterminate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pending", "approved"})
    void aRunWithAnApprovalThatIsNotSettledStays(String status) {
        EndedRun run = journal();
        run.approval("ap", "pending");
        if (status.equals("approved")) {
            race.sql("update holdfast.approval set status = 'approved', verdict = 'approved', decided_by = 'ann',"
                    + " decided_reason = '', decided_at = clock_timestamp() where scope = :scope");
        }
        staysUntil(
                run,
                "update holdfast.approval set status = 'withdrawn', withdrawn_reason = '',"
                        + " withdrawn_at = clock_timestamp() where scope = :scope");
    }

    void aRunWithAnApprovalThatIsNotSettledStays() {
        aRunWithAnApprovalThatIsNotSettledStays("pending");
    }

    @Test
    void aRunThatIsParkedInTheJournalStaysInTheOtherStores() {
        EndedRun run = new EndedRun(race).journal(RUN, "paused").checkpoint(RUN, "completed");
        staysUntil(run, "update holdfast.execution set status = 'completed' where scope = :scope");
    }

    @Test
    void aRunWhoseCheckpointIsNotTheLastStays() {
        staysUntil(
                journal().checkpoint(RUN, "running"),
                "update holdfast.checkpoint set status = 'failed' where scope = :scope");
    }

    @Test
    void aRunWhoseAgentHasNotFinishedStays() {
        staysUntil(
                journal().agent(RUN, "completed"),
                "update holdfast.agent_checkpoint set status = 'finished', phase = null, payload = null"
                        + " where scope = :scope");
    }

    @Test
    void aRunThatIsAtWorkInItsOwnStoreStays() {
        staysUntil(journal().row("running"), "update holdfast.run set status = 'done' where scope = :scope");
    }

    @Test
    void aPartOfARunThatIsAtWorkStaysAndARunWithSuchAPart() {
        EndedRun run = journal().journal("run/part", "completed").journal("run/part/7", "interrupted");
        staysUntil(run, "update holdfast.execution set status = 'failed' where scope = :scope and id = 'run/part/7'");
    }

    @Test
    void aRunOfAnotherFamilyWithTheSameBeginningDoesNotKeepIt() {
        EndedRun run =
                journal().journal("run-2", "running").journal("run0", "running").journal("ru", "running");
        assertThat(run.run(NOTHING)).isEqualTo(A_JOURNAL);
    }

    @Test
    void aRunThatNamesAnUnfinishedParentStays() {
        EndedRun run = journal().journal("boss", "running");
        race.sql("update holdfast.execution set parent_id = 'boss' where scope = :scope and id = 'run'");
        staysUntil(run, "update holdfast.execution set status = 'failed' where scope = :scope and id = 'boss'");
    }

    @Test
    void aRunThatAnUnfinishedOneNamesAsItsParentStays() {
        EndedRun run = journal().journal("part", "running");
        race.sql("update holdfast.execution set parent_id = 'run' where scope = :scope and id = 'part'");
        staysUntil(run, "update holdfast.execution set status = 'failed' where scope = :scope and id = 'part'");
    }

    @Test
    void aParkedRunWhoseHolderDiedIsRecoverableWithoutItsLeaseToo() {
        new EndedRun(race).journal(RUN, "paused");
        RunClaim claim = race.stores.runLeases().claim(RUN, "worker", Race.TTL, "digest");
        assertThat(claim).isInstanceOf(RunClaim.Granted.class);
        race.expire("lease", RUN);
        assertThat(new EndedRun(race).run(EXPIRED)).isEqualTo(new Removed(0, 0, 1));
        assertThat(race.stores.runLeases().recoverable("", 10).runs())
                .extracting(RecoverableRun::id)
                .containsExactly(RUN);
    }

    // Who comes in between. The caller and the rival hold their locks until they are told to end.

    @Test
    void aRenewalThatIsUnderWayWhenTheLeaseRunsOutKeepsTheRun() {
        EndedRun run = journal();
        Lease lease = held();
        race.expireSoon("lease", RUN);
        Caller renewing = race.caller();
        renewing.stores.leases().renew(LEASE, lease.fence());
        race.awaitExpired("lease", RUN);
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> run.run(NO_JOURNAL))))
                .isEqualTo(Removed.NOTHING);
        renewing.commit();
        assertThat(run.run(NO_JOURNAL)).isEqualTo(Removed.NOTHING);
    }

    @Test
    void aTakeoverThatIsUnderWayKeepsTheRun() {
        EndedRun run = journal();
        held();
        race.expire("lease", RUN);
        Caller taking = race.caller();
        Race.granted(taking.stores.leases().acquire(LEASE, "other", Race.TTL));
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> run.run(NO_JOURNAL))))
                .isEqualTo(Removed.NOTHING);
        taking.rollback();
        assertThat(run.run(NO_JOURNAL)).isEqualTo(A_JOURNAL);
    }

    @Test
    void aRunThatSomebodyHasLockedIsPassedByAndNotWaitedFor() {
        EndedRun run = journal().journal("other", "completed");
        race.rival().lock("execution", RUN);
        assertThat(race.withoutWaiting(() -> run.run(NO_JOURNAL))).isEqualTo(A_JOURNAL);
    }

    @Test
    void aRunThatSomebodyElseIsRemovingKeepsNoOtherFromBeingRemoved() {
        EndedRun run = journal().journal("other", "completed");
        race.rival().delete("execution", RUN);
        assertThat(race.withoutWaiting(() -> run.run(NO_JOURNAL))).isEqualTo(A_JOURNAL);
    }

    @Test
    void aRunWithMuchBehindItMakesTheBatchFull() {
        EndedRun run = new EndedRun(race);
        for (String id : List.of("a", "b", "c")) {
            run.journal(id, "completed");
        }
        race.sql("update holdfast.execution set events = 1000 where scope = :scope");
        List<Integer> told = new ArrayList<>();
        RetentionPace pace = new RetentionPace(10, Duration.ofMinutes(1), 0, Duration.ZERO, Duration.ofMinutes(1));
        race.stores.cleanup().run(RetentionPolicy.of(NO_JOURNAL), pace, removed -> told.add(removed.total()));
        assertThat(told).containsExactly(1, 2, 3);
    }

    @Test
    void theNewestStayInTheOrderOfTheirEnds() {
        EndedRun run = journal().journal("other", "completed");
        race.sql("update holdfast.execution set updated_at = updated_at + interval '1 hour'"
                + " where scope = :scope and id = 'run'");
        RetentionRule one = RetentionRule.KEEP_ALL.withJournals(RunStatus.COMPLETED, Keep.newest(1));
        assertThat(run.run(one)).isEqualTo(A_JOURNAL);
        assertThat(race.stores.journal().find(RUN)).isPresent();
    }

    private static final RetentionRule ONE_ENTRY = RetentionRule.KEEP_ALL.withHistories(Keep.newest(1));

    @Test
    void aHistoryWhoseRunSomebodyIsTakingIsNotCut() {
        EndedRun run = new EndedRun(race).checkpoint(RUN, "completed");
        held();
        race.expire("lease", RUN);
        Caller taking = race.caller();
        Race.granted(taking.stores.leases().acquire(LEASE, "other", Race.TTL));
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> run.run(ONE_ENTRY))))
                .isEqualTo(Removed.NOTHING);
        taking.rollback();
        assertThat(run.plan(ONE_ENTRY)).isEqualTo(Removed.of(Kind.ENTRIES, 2));
        assertThat(run.run(ONE_ENTRY)).isEqualTo(Removed.of(Kind.ENTRIES, 2));
        assertThat(race.changingNothing(() -> run.run(ONE_ENTRY))).isEqualTo(Removed.NOTHING);
    }

    @Test
    void aHistoryStaysForAsLongAsItsRunEndedNotLongAgo() {
        EndedRun run = new EndedRun(race).checkpoint(RUN, "completed");
        RetentionRule later = RetentionRule.KEEP_ALL.withHistories(
                Keep.during(Duration.ofHours(1)).atMost(1));
        assertThat(race.changingNothing(() -> run.run(later))).isEqualTo(Removed.NOTHING);
    }

    @Test
    void whatBeganLongAgoAndWasJustWrittenIsNotOld() {
        EndedRun run = new EndedRun(race).row("done");
        race.sql("update holdfast.run set created_at = created_at - interval '1 day' where scope = :scope");
        RetentionRule anHour = RetentionRule.KEEP_ALL.withRuns("done", Keep.during(Duration.ofHours(1)));
        assertThat(race.changingNothing(() -> run.run(anHour))).isEqualTo(Removed.NOTHING);
    }

    @Test
    void whatEndedOtherwiseStays() {
        EndedRun run = journal().journal("other", "failed");
        race.sql("update holdfast.execution set updated_at = updated_at - interval '1 day'"
                + " where scope = :scope and id = 'other'");
        assertThat(run.run(NO_JOURNAL)).isEqualTo(A_JOURNAL);
    }

    @Test
    void theHistoryOfARunThatIsAtWorkIsNotCut() {
        EndedRun run = new EndedRun(race).checkpoint(RUN, "completed").checkpoint("other", "running");
        assertThat(run.run(ONE_ENTRY)).isEqualTo(Removed.of(Kind.ENTRIES, 2));
        assertThat(race.holds(
                        "select count(*) = 3 from holdfast.checkpoint_entry where scope = :scope and run_id = 'other'"))
                .isTrue();
    }
}
