package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.idempotency.Reservation.Completed;
import io.holdfast.idempotency.Reservation.Conflict;
import io.holdfast.idempotency.Reservation.InProgress;
import io.holdfast.idempotency.Reservation.New;
import io.holdfast.lease.Lease;
import io.holdfast.repository.Stores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class ReserveRaceTest {

    private final Race race;

    ReserveRaceTest(Race race) {
        this.race = race;
    }

    private static Reservation reserve(Stores stores, String request) {
        return stores.idempotencyKeys().reserve("key", request, "wf-" + request, KeepFor.DEFAULT);
    }

    private Background<Reservation> reserving(String request) {
        Background<Reservation> call = race.inBackground(() -> reserve(race.stores, request));
        race.awaitBlockedOrDone(call);
        return call;
    }

    /** A key of request and workflow {@code former} that has lapsed, unless a lease keeps it. */
    private KeyClaim lapsed() {
        Reservation former = reserve(race.stores, "former");
        race.expire("idempotency_key", "key");
        return former.key().claim();
    }

    private Lease atWorkSinceLong() {
        Lease lease = race.granted("wf-former", "x");
        race.sql("update holdfast.lease set granted_at = granted_at - interval '1 hour' where scope = :scope");
        return lease;
    }

    private static void assertConflict(Reservation answer, String with) {
        assertThat(answer).isInstanceOfSatisfying(Conflict.class, conflict -> {
            assertThat(conflict.field()).isEqualTo(Binding.REQUEST);
            assertThat(conflict.key().requestId()).isEqualTo(with);
        });
    }

    private List<Reservation> sixteen(IntFunction<String> request) {
        CyclicBarrier start = new CyclicBarrier(16);
        return IntStream.range(0, 16)
                .mapToObj(i -> race.inBackground(() -> {
                    start.await();
                    return reserve(race.stores, request.apply(i));
                }))
                .toList()
                .stream()
                .map(Background::result)
                .toList();
    }

    // E-18
    @Test
    void ofSixteenRequestsOneReservesAndTheOthersLearnWho() {
        List<Reservation> answers = sixteen(i -> "r" + i);
        Reservation winner =
                answers.stream().filter(New.class::isInstance).findFirst().orElseThrow();
        assertThat(answers)
                .filteredOn(Conflict.class::isInstance)
                .hasSize(15)
                .allSatisfy(answer -> assertConflict(answer, winner.key().requestId()));
    }

    // E-19, H11
    @Test
    void ofSixteenOfOneRequestOnALapsedKeyOneReservesAndTheOthersAreInProgress() {
        long former = lapsed().reservation();
        List<Reservation> answers = sixteen(i -> "same");
        assertThat(answers).filteredOn(New.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(InProgress.class::isInstance).hasSize(15);
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.key().claim().reservation()).isEqualTo(former + 1));
    }

    @Test
    void ofSixteenRequestsOnALapsedKeyOneReservesAndTheOthersLearnWho() {
        lapsed();
        List<Reservation> answers = sixteen(i -> "r" + i);
        Reservation winner =
                answers.stream().filter(New.class::isInstance).findFirst().orElseThrow();
        assertThat(answers)
                .filteredOn(Conflict.class::isInstance)
                .hasSize(15)
                .allSatisfy(answer -> assertConflict(answer, winner.key().requestId()));
    }

    // BL-33
    @Test
    void whoWaitedForARivalsInsertLearnsWhoItWas() {
        Caller rival = race.caller();
        assertThat(reserve(rival.stores, "rival")).isInstanceOf(New.class);
        Background<Reservation> waiting = reserving("late");
        String stood = rival.commit();
        assertConflict(waiting.result(), "rival");
        race.assertStands(stood);
    }

    @Test
    void aTwinThatWaitedForTheFirstIsInProgress() {
        Caller first = race.caller();
        reserve(first.stores, "same");
        Background<Reservation> waiting = reserving("same");
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(InProgress.class);
        race.assertStands(stood);
    }

    // BL-33: the first one is done by the time the second looks
    @Test
    void aTwinThatWaitedForTheFirstThatCompletedHearsItsOutcome() {
        Caller first = race.caller();
        Reservation won = reserve(first.stores, "same");
        first.stores.idempotencyKeys().complete(won.key().claim(), Worker.OUTCOME);
        Background<Reservation> waiting = reserving("same");
        String stood = first.commit();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Completed.class,
                        answer -> assertThat(answer.key().outcome()).contains(Worker.OUTCOME));
        race.assertStands(stood);
    }

    // H22
    @Test
    void aTwinWithoutAWorkflowOfItsOwnGetsTheWinners() {
        Caller first = race.caller();
        Reservation won = first.stores.idempotencyKeys().reserve("key", "same", KeepFor.DEFAULT);
        Background<Reservation> waiting =
                race.inBackground(() -> race.stores.idempotencyKeys().reserve("key", "same", KeepFor.DEFAULT));
        race.awaitBlocked(waiting);
        first.commit();
        assertThat(waiting.result()).isInstanceOf(InProgress.class);
        assertThat(waiting.result().key().claim()).isEqualTo(won.key().claim());
    }

    @Test
    void whoWaitedForARivalsInsertThatWasRolledBackReserves() {
        Caller rival = race.caller();
        reserve(rival.stores, "rival");
        Background<Reservation> waiting = reserving("late");
        rival.rollback();
        assertThat(waiting.result()).isInstanceOf(New.class);
    }

    @Test
    void aReservationThatWaitedForARivalsLostInsertHasItsWholeTime() {
        Caller rival = race.caller();
        reserve(rival.stores, "rival");
        Reservation answer = race.afterALostInsert(
                rival,
                () -> race.stores.idempotencyKeys().reserve("key", "late", "wf-late", KeepFor.of(Race.TWO_SECONDS)));
        race.assertWhole("idempotency_key", "key");
        assertThat(answer).isInstanceOf(New.class);
        assertThat(race.stores.idempotencyKeys().find("key")).contains(answer.key());
    }

    @Test
    void aLapsedKeyThatARivalReservedMeanwhileIsTheRivals() {
        lapsed();
        Caller rival = race.caller();
        assertThat(reserve(rival.stores, "rival")).isInstanceOf(New.class);
        Background<Reservation> waiting = reserving("late");
        String stood = rival.commit();
        assertConflict(waiting.result(), "rival");
        race.assertStands(stood);
    }

    @Test
    void aLapsedKeyThatWasCompletedMeanwhileIsCompleted() {
        KeyClaim former = lapsed();
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().complete(former, Worker.OUTCOME);
        Background<Reservation> waiting = reserving("former");
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOf(Completed.class);
        race.assertStands(stood);
    }

    @Test
    void aLapsedKeyThatWasPurgedMeanwhileIsNew() {
        long former = lapsed().reservation();
        Caller rival = race.caller();
        assertThat(rival.stores
                        .cleanup()
                        .pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10))
                        .keys())
                .isEqualTo(1);
        Background<Reservation> waiting = reserving("late");
        rival.commit();
        assertThat(((New) waiting.result()).key().claim().reservation()).isGreaterThan(former);
    }

    // BL-33: seen, removed, and made by another
    @Test
    void aLapsedKeyThatWasPurgedAndReservedMeanwhileIsTheRivals() {
        lapsed();
        Caller rival = race.caller();
        rival.stores.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10));
        reserve(rival.stores, "rival");
        Background<Reservation> waiting = reserving("former");
        String stood = rival.commit();
        assertConflict(waiting.result(), "rival");
        race.assertStands(stood);
    }

    // D-26, H21
    @Test
    void aKeyWhoseWorkflowIsAtWorkSinceBeforeItExpiredIsKeptAndNobodyIsDisturbed() {
        atWorkSinceLong();
        lapsed();
        race.rival().lock("lease", "wf-former").lock("idempotency_key", "key");
        assertConflict(race.changingNothing(() -> race.withoutWaiting(() -> reserve(race.stores, "late"))), "former");
    }

    @Test
    void aKeyWhoseWorkflowsLeaseWasGrantedAfterItExpiredLapses() {
        lapsed();
        race.granted("wf-former", "x");
        assertThat(reserve(race.stores, "late")).isInstanceOf(New.class);
    }

    @Test
    void aKeyWhoseWorkflowIsJustBeingRenewedIsKept() {
        Lease lease = atWorkSinceLong();
        lapsed();
        race.expireSoon("lease", "wf-former");
        Caller renewing = race.caller();
        renewing.stores.leases().renew(lease.key(), lease.fence());
        race.awaitExpired("lease", "wf-former");
        Background<Reservation> waiting = reserving("late");
        String stood = renewing.commit();
        assertConflict(waiting.result(), "former");
        race.assertStands(stood);
    }

    @Test
    void aKeyWhoseWorkflowsRenewalWasRolledBackLapses() {
        Lease lease = atWorkSinceLong();
        lapsed();
        race.expireSoon("lease", "wf-former");
        Caller renewing = race.caller();
        renewing.stores.leases().renew(lease.key(), lease.fence());
        race.awaitExpired("lease", "wf-former");
        Background<Reservation> waiting = reserving("late");
        renewing.rollback();
        assertThat(waiting.result()).isInstanceOf(New.class);
    }
}
