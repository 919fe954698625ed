package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.lease.Renewal.Deferred;
import io.holdfast.lease.Renewal.Lost;
import io.holdfast.lease.Renewal.Renewed;
import io.holdfast.workflow.Update.Updated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class RenewRaceTest {

    private final Race race;

    RenewRaceTest(Race race) {
        this.race = race;
    }

    private Renewal renew(Lease lease) {
        return race.stores.leases().renew(lease.key(), lease.fence());
    }

    private Renewal renewWith(Lease lease) {
        return race.stores.leases().renewAll(Map.of(lease.key(), lease.fence())).get(lease.key());
    }

    // H04
    @Test
    void aRenewalThatWaitedPastTheEndIsLost() {
        Lease lease = race.granted("wf", "a");
        race.expireSoon("lease", "wf");
        String before = race.dump();
        Rival rival = race.rival().lock("lease", "wf");
        Background<Renewal> waiting = race.inBackground(() -> renew(lease));
        race.awaitBlocked(waiting);
        race.awaitExpired("lease", "wf");
        rival.rollback();
        assertThat(waiting.result()).isEqualTo(new Lost(Loss.EXPIRED));
        race.assertStands(before);
    }

    @Test
    void aRenewalThatWaitedForATakeoverIsLost() {
        Lease lease = race.granted("wf", "a");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        rival.stores.leases().acquire(lease.key(), "b", Race.TTL);
        Background<Renewal> waiting = race.inBackground(() -> renew(lease));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Lost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aRenewalThatWaitedForARestartOfItsOwnerIsLost() {
        Lease lease = race.granted("wf", "a");
        Caller rival = race.caller();
        rival.stores.leases().acquire(lease.key(), "a", Race.TTL);
        Background<Renewal> waiting = race.inBackground(() -> renew(lease));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Lost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aRenewalThatWaitedForTheReleaseIsLost() {
        Lease lease = race.granted("wf", "a");
        Caller rival = race.caller();
        rival.stores.leases().release(lease.key(), lease.fence());
        Background<Renewal> waiting = race.inBackground(() -> renew(lease));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Lost(Loss.NONE));
        race.assertStands(stood);
    }

    @Test
    void aRenewalThatWaitedForAPurgeIsLost() {
        Lease lease = race.granted("wf", "a");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        rival.stores.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10));
        Background<Renewal> waiting = race.inBackground(() -> renew(lease));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Lost(Loss.NONE));
        race.assertStands(stood);
    }

    // H24
    @Test
    void aRenewalThatWaitedForALongerOneDoesNotShortenIt() {
        Lease lease = race.granted("wf", "a");
        Rival rival = race.rival().update("lease", "wf", "expires_at = clock_timestamp() + interval '1 hour'");
        Background<Renewal> waiting = race.inBackground(() -> renew(lease));
        race.awaitBlocked(waiting);
        rival.commit();
        assertThat(((Renewed) waiting.result()).lease().remaining()).isGreaterThan(Duration.ofMinutes(59));
    }

    @Test
    void aRenewalThatWaitedForATakeoverThatWasRolledBackRenews() {
        Lease lease = race.granted("wf", "a");
        Rival rival = race.rival().update("lease", "wf", "owner = 'b', token = token + 1");
        Background<Renewal> waiting = race.inBackground(() -> renew(lease));
        race.awaitBlocked(waiting);
        rival.rollback();
        assertThat(((Renewed) waiting.result()).lease().fence()).isEqualTo(lease.fence());
    }

    @Test
    void aHeartbeatRunsDuringAnOpenFencedBusinessTransaction() {
        Worker worker = Worker.at(race, "wf");
        Caller business = race.caller();
        assertThat(worker.in(business.stores).update()).isInstanceOf(Updated.class);
        assertThat(race.withoutWaiting(() -> renew(worker.lease()))).isInstanceOf(Renewed.class);
        assertThat(race.withoutWaiting(() -> renewWith(worker.lease()))).isInstanceOf(Renewed.class);
        business.commit();
    }

    @Test
    void aBusinessTransactionBeginsItsFencedWriteWhileTheHeartbeatIsUncommitted() {
        Worker worker = Worker.at(race, "wf");
        Caller heartbeat = race.caller();
        heartbeat.stores.leases().renew(worker.lease().key(), worker.lease().fence());
        assertThat(race.withoutWaiting(worker::update)).isInstanceOf(Updated.class);
        heartbeat.commit();
    }

    @Test
    void ofManyRenewedAtOnceALockedOneIsDeferredAndALostOneIsSaidToBe() {
        Lease free = race.granted("wf-a", "a");
        Lease locked = race.granted("wf-b", "a");
        Lease lost = race.granted("wf-c", "a");
        race.expire("lease", "wf-c");
        race.granted("wf-c", "b");
        race.rival().lock("lease", "wf-b");
        Map<LeaseKey, Fence> held = new LinkedHashMap<>();
        List.of(lost, locked, free).forEach(lease -> held.put(lease.key(), lease.fence()));
        Map<LeaseKey, Renewal> answers =
                race.withoutWaiting(() -> race.stores.leases().renewAll(held));
        assertThat(answers.get(free.key())).isInstanceOf(Renewed.class);
        assertThat(answers.get(locked.key())).isEqualTo(new Deferred());
        assertThat(answers.get(lost.key())).isEqualTo(new Lost(Loss.SUPERSEDED));
    }

    @Test
    void aRenewalOfManyDefersATakeoverThatIsUnderWayAndChangesNothing() {
        Lease lease = race.granted("wf", "a");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        rival.stores.leases().acquire(lease.key(), "b", Race.TTL);
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> renewWith(lease))))
                .isEqualTo(new Deferred());
        String stood = rival.commit();
        assertThat(renewWith(lease)).isEqualTo(new Lost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aRenewalOfManyThatMetARestartOfItsOwnerIsLost() {
        Lease lease = race.granted("wf", "a");
        Caller restarted = race.caller();
        restarted.stores.leases().acquire(lease.key(), "a", Race.TTL);
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> renewWith(lease))))
                .isEqualTo(new Deferred());
        String stood = restarted.commit();
        assertThat(renewWith(lease)).isEqualTo(new Lost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void renewalsOfTheSameManyInAnyOrderDoNotDeadlock() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(race.granted("wf-" + i, "a"));
        }
        List<Background<Map<LeaseKey, Renewal>>> calls = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            Collections.shuffle(leases, new java.util.Random(i));
            Map<LeaseKey, Fence> held = new LinkedHashMap<>();
            leases.forEach(lease -> held.put(lease.key(), lease.fence()));
            calls.add(race.inBackground(() -> race.stores.leases().renewAll(held)));
        }
        assertThat(calls)
                .allSatisfy(call -> assertThat(call.result().values())
                        .allSatisfy(answer -> assertThat(answer).isInstanceOfAny(Renewed.class, Deferred.class)));
    }
}
