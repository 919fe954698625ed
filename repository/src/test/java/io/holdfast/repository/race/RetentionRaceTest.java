package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.lease.Lease;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.StepResult.LeaseAfter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class RetentionRaceTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final RetentionPace PACE = new RetentionPace(100, MINUTE, 0, Duration.ZERO, MINUTE);
    private static final RetentionRule NONE_CLOSED = RetentionRule.KEEP_ALL.with(WorkflowStatus.CLOSED, Keep.newest(0));
    private static final RetentionRule NOTHING_STAYS =
            NONE_CLOSED.with(WorkflowStatus.SUCCEEDED, Keep.newest(0)).withExpired(Duration.ZERO);

    private final Race race;

    RetentionRaceTest(Race race) {
        this.race = race;
    }

    private Removed run(RetentionRule rule) {
        return run(rule, PACE);
    }

    private Removed run(RetentionRule rule, RetentionPace pace) {
        RetentionReport report = race.stores.cleanup().run(RetentionPolicy.of(rule), pace, removed -> {});
        return report.total();
    }

    private Background<Removed> running(RetentionRule rule) {
        Background<Removed> run = race.inBackground(() -> run(rule));
        race.awaitBlockedOrDone(run);
        return run;
    }

    private void closed(int count) {
        for (int i = 0; i < count; i++) {
            race.stores.workflows().create(Worker.running("wf-" + i), Map.of());
        }
        race.sql("update holdfast.workflow set status = 'closed' where scope = :scope");
    }

    @Test
    void aRunWaitsForNobodyWhateverIsLocked() {
        Worker worker = Worker.at(race, "wf");
        worker.finish(worker.end(), Worker.OUTCOME, LeaseAfter.RELEASE);
        race.expire("idempotency_key", "wf:step");
        race.rival()
                .lock("workflow", "wf")
                .lock("idempotency_key", "wf:step")
                .lock("lease", "wf")
                .run("select from holdfast.lease_floor where scope = :scope for update");
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> run(NOTHING_STAYS))))
                .isEqualTo(Removed.NOTHING);
    }

    // H46
    @Test
    void aRowThatSomebodyElseIsRemovingKeepsNoOtherFromBeingRemoved() {
        closed(5);
        race.rival().delete("workflow", "wf-2");
        assertThat(race.withoutWaiting(() -> run(NONE_CLOSED))).isEqualTo(new Removed(4, 0, 0));
    }

    @Test
    void aLockedWorkflowIsPassedByOnceAndNotTriedForEver() {
        closed(5);
        race.rival().lock("workflow", "wf-0");
        assertThat(race.withoutWaiting(() -> run(NONE_CLOSED, PACE.withBatch(1))))
                .isEqualTo(new Removed(4, 0, 0));
    }

    @Test
    void twoRunsShareTheWork() {
        closed(40);
        Background<Removed> other = race.inBackground(() -> run(NONE_CLOSED, PACE.withBatch(1)));
        Removed ours = run(NONE_CLOSED, PACE.withBatch(1));
        assertThat(ours.plus(other.result())).isEqualTo(new Removed(40, 0, 0));
    }

    @Test
    void workThatIsUnderWayStaysHoweverManyAreTooMany() {
        closed(1);
        race.stores.workflows().create(Worker.running("wf"), Map.of());
        race.sql("update holdfast.workflow set created_at = created_at - interval '1 day'"
                + " where scope = :scope and id = 'wf'");
        assertThat(run(NONE_CLOSED)).isEqualTo(new Removed(1, 0, 0));
    }

    @Test
    void whatBeganLongAgoAndHasJustEndedIsNotOld() {
        closed(1);
        race.sql("update holdfast.workflow set created_at = created_at - interval '1 day' where scope = :scope");
        RetentionRule anHour = RetentionRule.KEEP_ALL.with(WorkflowStatus.CLOSED, Keep.during(Duration.ofHours(1)));
        assertThat(race.changingNothing(() -> run(anHour))).isEqualTo(Removed.NOTHING);
    }

    @Test
    void ofThoseThatHaveJustEndedOnlyTheOldestIsOneTooMany() {
        closed(3);
        race.sql("update holdfast.workflow set created_at = created_at - interval '1 day' where scope = :scope");
        Keep two = Keep.during(Duration.ofHours(1)).atMost(2);
        assertThat(run(RetentionRule.KEEP_ALL.with(WorkflowStatus.CLOSED, two))).isEqualTo(new Removed(1, 0, 0));
    }

    @Test
    void anEndedWorkflowWhoseLeaseIsHeldStays() {
        Worker worker = Worker.at(race, "wf");
        worker.finish(worker.end(), Worker.OUTCOME, LeaseAfter.KEEP);
        RetentionRule none = RetentionRule.KEEP_ALL.with(WorkflowStatus.SUCCEEDED, Keep.newest(0));
        assertThat(race.changingNothing(() -> run(none))).isEqualTo(Removed.NOTHING);
        race.stores.leases().release(worker.lease().key(), worker.lease().fence());
        assertThat(run(none)).isEqualTo(new Removed(1, 0, 0));
    }

    // H07
    @Test
    void aLeaseThatIsRenewedBetweenTheLookAndTheRemovalStays() {
        race.granted("gone", "a");
        Lease lease = race.granted("wf", "a");
        race.expire("lease", "gone");
        race.expireSoon("lease", "wf");
        Caller renewing = race.caller();
        renewing.stores.leases().renew(lease.key(), lease.fence());
        race.awaitExpired("lease", "wf");
        Background<Removed> run = running(RetentionRule.KEEP_ALL.withExpired(Duration.ZERO));
        renewing.commit();
        assertThat(run.result()).isEqualTo(new Removed(0, 0, 1));
        assertThat(race.holds("select count(*) = 1 from holdfast.lease where scope = :scope and id = 'wf'"))
                .isTrue();
    }

    @Test
    void aLeaseThatSomebodyHasLockedIsNotWaitedFor() {
        race.granted("wf", "a");
        race.expire("lease", "wf");
        race.rival().lock("lease", "wf");
        assertThat(race.withoutWaiting(() -> run(RetentionRule.KEEP_ALL.withExpired(Duration.ZERO))))
                .isEqualTo(Removed.NOTHING);
    }

    @Test
    void theLivingBesideTheDeadStay() {
        race.granted("a", "worker");
        race.granted("b", "worker");
        race.expire("lease", "a");
        assertThat(run(RetentionRule.KEEP_ALL.withExpired(Duration.ZERO))).isEqualTo(new Removed(0, 0, 1));
    }

    @Test
    void aScopeWithNothingToPurgeKeepsNobodyFromItsFloor() {
        race.granted("wf", "a");
        race.rival().run("select from holdfast.lease_floor where scope = :scope for update");
        assertThat(race.withoutWaiting(() -> run(RetentionRule.KEEP_ALL.withExpired(Duration.ZERO))))
                .isEqualTo(Removed.NOTHING);
    }

    /** An acquire has read the floor and is about to insert above it: the floor must not rise in between. */
    @Test
    void aFirstGrantThatIsUnderWayPutsAPurgeOff() {
        race.granted("old", "a");
        race.expire("lease", "old");
        Caller acquiring = race.caller();
        Race.granted(acquiring.stores.leases().acquire(race.key("new"), "b", Race.TTL));
        RetentionRule expired = RetentionRule.KEEP_ALL.withExpired(Duration.ZERO);
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> run(expired))))
                .isEqualTo(Removed.NOTHING);
        acquiring.commit();
        assertThat(run(expired)).isEqualTo(new Removed(0, 0, 1));
    }

    /** A read-only transaction refuses every write and every lock of a row. */
    @Test
    void aPlanRunsInAReadOnlyTransaction() {
        closed(2);
        race.granted("wf", "a");
        race.expire("lease", "wf");
        Caller caller = race.caller().run("set transaction read only");
        assertThat(caller.stores
                        .cleanup()
                        .plan(RetentionPolicy.of(NOTHING_STAYS))
                        .total())
                .isEqualTo(new Removed(2, 0, 1));
    }
}
