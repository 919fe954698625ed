package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.Loss;
import io.holdfast.step.Begun;
import io.holdfast.step.Begun.Conflict;
import io.holdfast.step.Begun.Lost;
import io.holdfast.step.Step;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class BeginRaceTest {

    private static final Step STEP = new Step("wf-b", "key", "req");

    private final Race race;

    BeginRaceTest(Race race) {
        this.race = race;
    }

    private Begun begin(Lease lease) {
        return race.stores.steps().begin(STEP, lease.fence());
    }

    private Background<Begun> waiting(Lease lease) {
        Background<Begun> waiting = race.inBackground(() -> begin(lease));
        race.awaitBlocked(waiting);
        return waiting;
    }

    /** A key that was reserved by this request for this workflow, and has lapsed, unless a lease keeps it. */
    private long lapsed(String request, String workflow) {
        Reservation former = race.stores.idempotencyKeys().reserve("key", request, workflow, KeepFor.DEFAULT);
        race.expire("idempotency_key", "key");
        return former.key().claim().reservation();
    }

    /** As if it had been granted before the key expired. */
    private void atWorkSinceLong(String workflow) {
        race.sql("update holdfast.lease set granted_at = granted_at - interval '1 hour' where "
                + Rival.row("lease", workflow));
    }

    /** Answers with the number of the reservation. */
    private static long assertNew(Begun begun) {
        assertThat(begun).isInstanceOf(Begun.New.class);
        Begun.New answer = (Begun.New) begun;
        assertThat(answer.lease().remaining()).isGreaterThan(Duration.ofSeconds(55));
        return answer.claim().reservation();
    }

    @Test
    void aRepeatResumesAndOthersAreRefusedWithoutAChange() {
        Lease lease = race.granted("wf-b", "a");
        assertNew(begin(lease));
        assertThat(begin(lease)).isInstanceOf(Begun.Resumed.class);
        assertThat(race.<Begun>changingNothing(
                        () -> race.stores.steps().begin(new Step("wf-b", "key", "another"), lease.fence())))
                .isEqualTo(new Conflict(Binding.REQUEST));
        assertThat(race.<Begun>changingNothing(() -> race.stores.steps().begin(STEP, new Fence("a", 9))))
                .isEqualTo(new Lost(Loss.SUPERSEDED));
    }

    @Test
    void aKeyThatWasCompletedMeanwhileIsCompleted() {
        Lease lease = race.granted("wf-b", "a");
        begin(lease);
        Rival rival = race.rival()
                .update("idempotency_key", "key", "status = 'completed', outcome = '" + Worker.OUTCOME + "'");
        Background<Begun> begun = race.inBackground(() -> begin(lease));
        race.awaitBlockedOrDone(begun);
        rival.commit();
        assertThat(begun.result())
                .isInstanceOfSatisfying(
                        Begun.Completed.class,
                        answer -> assertThat(answer.outcome()).isEqualTo(Worker.OUTCOME));
    }

    @Test
    void aKeyOfThisWorkflowThatIsAtWorkSinceBeforeItExpiredDoesNotLapse() {
        Lease lease = race.granted("wf-b", "a");
        lapsed("other", "wf-b");
        atWorkSinceLong("wf-b");
        assertThat(race.changingNothing(() -> begin(lease))).isEqualTo(new Conflict(Binding.REQUEST));
    }

    @Test
    void aLapsedKeyThatARivalTookMeanwhileIsTheRivals() {
        lapsed("req", "wf-b");
        Lease lease = race.granted("wf-b", "a");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("key", "rival", "wf-r", KeepFor.DEFAULT);
        Background<Begun> begun = race.inBackground(() -> begin(lease));
        race.awaitBlockedOrDone(begun);
        String stood = rival.commit();
        assertThat(begun.result()).isEqualTo(new Conflict(Binding.REQUEST));
        race.assertStands(stood);
    }

    @Test
    void aLapsedKeyThatWasPurgedMeanwhileIsNew() {
        long former = lapsed("other", "wf-b");
        Lease lease = race.granted("wf-b", "a");
        Caller rival = race.caller();
        Cutoff everything = new Cutoff(Duration.ZERO, Duration.ZERO, 10);
        assertThat(rival.stores.cleanup().pass(everything).keys()).isEqualTo(1);
        Background<Begun> begun = waiting(lease);
        rival.commit();
        assertThat(assertNew(begun.result())).isGreaterThan(former);
    }

    @Test
    void aLapsedKeyWhosePurgeWasRolledBackIsReservedAnew() {
        long former = lapsed("other", "wf-b");
        Lease lease = race.granted("wf-b", "a");
        Caller rival = race.caller();
        rival.stores.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10));
        Background<Begun> begun = waiting(lease);
        rival.rollback();
        assertThat(assertNew(begun.result())).isEqualTo(former + 1);
    }

    @Test
    void aBeginThatWaitedForARestartOfItsOwnerIsLost() {
        Lease lease = race.granted("wf-b", "a");
        Caller restarted = race.caller();
        restarted.stores.leases().acquire(lease.key(), "a", Race.TTL);
        Background<Begun> begun = race.inBackground(() -> begin(lease));
        race.awaitBlockedOrDone(begun);
        String stood = restarted.commit();
        assertThat(begun.result()).isEqualTo(new Lost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aBeginThatWaitedForATakeoverIsLost() {
        Lease lease = race.granted("wf-b", "a");
        race.expire("lease", "wf-b");
        Caller rival = race.caller();
        rival.stores.leases().acquire(lease.key(), "b", Race.TTL);
        Background<Begun> begun = waiting(lease);
        String stood = rival.commit();
        assertThat(begun.result()).isEqualTo(new Lost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aBeginThatWaitedForTheLeasePastItsEndIsLost() {
        Lease lease = race.granted("wf-b", "a");
        race.expireSoon("lease", "wf-b");
        Rival rival = race.rival().lock("lease", "wf-b");
        Background<Begun> begun = waiting(lease);
        race.awaitExpired("lease", "wf-b");
        String stood = rival.commit();
        assertThat(begun.result()).isEqualTo(new Lost(Loss.EXPIRED));
        race.assertStands(stood);
    }

    @Test
    void aBeginThatWaitedForTheKeyPastTheEndOfTheLeaseIsLost() {
        Lease lease = race.granted("wf-b", "a");
        begin(lease);
        race.expireSoon("lease", "wf-b");
        Rival rival = race.rival().lock("idempotency_key", "key");
        Background<Begun> begun = waiting(lease);
        race.awaitExpired("lease", "wf-b");
        String stood = rival.commit();
        assertThat(begun.result()).isEqualTo(new Lost(Loss.EXPIRED));
        race.assertStands(stood);
    }

    // BL-33: the first attempt saw no key, and must leave no trace
    @Test
    void aBeginThatWaitedForARivalsInsertLearnsOfItAndWritesNothing() {
        Lease lease = race.granted("wf-b", "a");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("key", "rival", "wf-r", KeepFor.DEFAULT);
        Background<Begun> begun = waiting(lease);
        String stood = rival.commit();
        assertThat(begun.result()).isEqualTo(new Conflict(Binding.REQUEST));
        race.assertStands(stood);
    }

    @Test
    void aBeginThatWaitedForARivalsInsertThatWasRolledBackIsNew() {
        Lease lease = race.granted("wf-b", "a");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("key", "rival", "wf-r", KeepFor.DEFAULT);
        Background<Begun> begun = waiting(lease);
        rival.rollback();
        assertNew(begun.result());
    }

    @Test
    void aKeyThatWaitedForARivalsLostInsertHasItsWholeTime() {
        Lease lease = race.granted("wf-b", "a");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("key", "rival", "wf-r", KeepFor.DEFAULT);
        Step step = new Step("wf-b", "key", "req", KeepFor.of(Race.TWO_SECONDS));
        assertNew(race.afterALostInsert(rival, () -> race.stores.steps().begin(step, lease.fence())));
        race.assertWhole("idempotency_key", "key");
    }

    @Test
    void anInsertThatWaitsOutTheLeaseDoesNotCostItBecauseNobodyCanTakeItMeanwhile() {
        Lease lease = race.granted("wf-b", "a");
        race.expireSoon("lease", "wf-b");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("key", "rival", "wf-r", KeepFor.DEFAULT);
        Background<Begun> begun = waiting(lease);
        race.awaitExpired("lease", "wf-b");
        Background<?> taker = race.inBackground(() -> race.stores.leases().acquire(lease.key(), "b", Race.TTL));
        race.awaitBlocked(taker);
        rival.rollback();
        assertNew(begun.result());
        assertThat(taker.result()).isInstanceOf(io.holdfast.lease.Acquisition.Busy.class);
    }

    // D-26, H21
    @Test
    void anotherWorkflowThatIsAtWorkKeepsItsKeyAndIsNotDisturbed() {
        Lease lease = race.granted("wf-b", "a");
        race.granted("wf-a", "x");
        lapsed("other", "wf-a");
        atWorkSinceLong("wf-a");
        race.rival().lock("lease", "wf-a");
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> begin(lease))))
                .isEqualTo(new Conflict(Binding.REQUEST));
    }

    @Test
    void aKeyOfAnotherWorkflowWhoseLeaseIsDeadLapses() {
        Lease lease = race.granted("wf-b", "a");
        race.granted("wf-a", "x");
        long former = lapsed("other", "wf-a");
        race.expire("lease", "wf-a");
        assertThat(assertNew(begin(lease))).isEqualTo(former + 1);
    }

    @Test
    void aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept() {
        Lease lease = race.granted("wf-b", "a");
        Lease other = race.granted("wf-a", "x");
        lapsed("other", "wf-a");
        atWorkSinceLong("wf-a");
        race.expireSoon("lease", "wf-a");
        Caller renewing = race.caller();
        renewing.stores.leases().renew(other.key(), other.fence());
        race.awaitExpired("lease", "wf-a");
        Background<Begun> begun = race.inBackground(() -> begin(lease));
        race.awaitBlockedOrDone(begun);
        String stood = renewing.commit();
        assertThat(begun.result()).isEqualTo(new Conflict(Binding.REQUEST));
        race.assertStands(stood);
    }

    @Test
    void leasesAreLockedInTheOrderOfTheirKeysSoThatCrossedBeginsDoNotDeadlock() {
        Lease lease = race.granted("wf-b", "a");
        race.granted("wf-a", "x");
        long former = lapsed("other", "wf-a");
        race.expire("lease", "wf-a");
        Rival first = race.rival().lock("lease", "wf-a");
        Caller caller = race.caller(); // what it locks it keeps
        Background<Begun> begun =
                caller.inBackground(() -> caller.stores.steps().begin(STEP, lease.fence()));
        race.awaitBlocked(begun);
        Boolean free = race.holds("select count(*) = 1 from (select from holdfast.lease where "
                + Rival.row("lease", "wf-b") + " for no key update skip locked) own");
        assertThat(free)
                .as("the later key is not locked before the earlier one")
                .isTrue();
        first.rollback();
        assertThat(assertNew(begun.result())).isEqualTo(former + 1);
    }

    @Test
    void twoBeginsOnEachOthersLapsedKeysEndBoth() {
        for (int round = 0; round < 10; round++) {
            String a = "a-" + round;
            String b = "b-" + round;
            List.of(a, b).forEach(id -> {
                race.stores.idempotencyKeys().reserve(id, "other", id, KeepFor.DEFAULT);
                race.expire("idempotency_key", id);
            });
            CyclicBarrier start = new CyclicBarrier(2);
            List<Background<Begun>> calls = Stream.of(new Step(a, b, "req"), new Step(b, a, "req"))
                    .map(step -> {
                        Lease lease = race.granted(step.workflowId(), "w");
                        return race.inBackground(() -> {
                            start.await();
                            return race.stores.steps().begin(step, lease.fence());
                        });
                    })
                    .toList();
            assertThat(calls).allSatisfy(call -> assertNew(call.result()));
        }
    }
}
