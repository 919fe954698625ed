package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Acquisition.Busy;
import io.holdfast.lease.Acquisition.Granted;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.workflow.Update.Updated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class AcquireRaceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Race race;

    AcquireRaceTest(Race race) {
        this.race = race;
    }

    private Acquisition acquire(String owner, Duration ttl) {
        return race.stores.leases().acquire(race.key("wf"), owner, ttl);
    }

    private static Busy busy(Acquisition answer) {
        assertThat(answer).isInstanceOf(Busy.class);
        return (Busy) answer;
    }

    @Test
    void aBusyLeaseIsToldSoWithoutWaitingForWhoeverHasItLocked() {
        race.granted("wf", "b");
        race.rival().lock("lease", "wf");
        Acquisition answer = race.changingNothing(() -> race.withoutWaiting(() -> acquire("a", SECOND)));
        assertThat(busy(answer).retryAfter()).isBetween(Duration.ofSeconds(50), Race.TTL);
    }

    // F-22, H05
    @Test
    void aGrantThatWaitedForALockHasItsWholeTime() {
        race.granted("wf", "b");
        race.expire("lease", "wf");
        Rival rival = race.rival().lock("lease", "wf");
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        race.pass(Duration.ofMillis(1_100));
        rival.rollback();
        Lease lease = Race.granted(waiting.result());
        assertThat(lease.fence().token()).isEqualTo(2);
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(900), SECOND);
        assertThat(Duration.between(lease.grantedAt(), lease.expiresAt())).isEqualTo(SECOND);
    }

    @Test
    void whoWaitedForARivalThatTookOverIsBusyUntilTheRivalsEnd() {
        race.granted("wf", "former");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        assertThat(rival.stores.leases().acquire(race.key("wf"), "b", Race.TTL)).isInstanceOf(Granted.class);
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(busy(waiting.result()).retryAfter()).isBetween(Duration.ofSeconds(50), Race.TTL);
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForARivalThatRenewedIsBusyUntilTheRivalsEnd() {
        race.granted("wf", "b");
        race.expireSoon("lease", "wf");
        Caller rival = race.caller();
        rival.stores.leases().renew(race.key("wf"), new Fence("b", 1));
        race.awaitExpired("lease", "wf");
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(busy(waiting.result()).retryAfter()).isBetween(Duration.ofSeconds(50), Race.TTL);
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForARivalThatReleasedIsGrantedTheNextToken() {
        Lease former = race.granted("wf", "b");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        rival.stores.leases().release(former.key(), former.fence());
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        rival.commit();
        assertThat(Race.granted(waiting.result()).fence().token()).isEqualTo(2);
    }

    @Test
    void whoLosesTheFirstGrantOfAKeyIsBusy() {
        race.granted("another", "x");
        Caller rival = race.caller();
        assertThat(rival.stores.leases().acquire(race.key("wf"), "b", Race.TTL)).isInstanceOf(Granted.class);
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(busy(waiting.result()).retryAfter()).isBetween(Duration.ofSeconds(50), Race.TTL);
        race.assertStands(stood);
    }

    @Test
    void whoLosesTheFirstGrantOfAScopeIsBusy() {
        Caller rival = race.caller();
        assertThat(rival.stores.leases().acquire(race.key("wf"), "b", Race.TTL)).isInstanceOf(Granted.class);
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOf(Busy.class);
        race.assertStands(stood);
    }

    @Test
    void aFirstGrantThatWaitedForARivalsLostInsertHasItsWholeTime() {
        race.granted("another", "x");
        Caller rival = race.caller();
        rival.stores.leases().acquire(race.key("wf"), "b", Race.TTL);
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        race.pass(Duration.ofMillis(400));
        rival.rollback();
        Lease lease = Race.granted(waiting.result());
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(900), SECOND);
        assertThat(lease.fence().token()).isEqualTo(2);
    }

    // H06: the token does not change under a fenced write
    @Test
    void aTakeoverWaitsForTheFormerHoldersFencedWrite() {
        Worker worker = Worker.at(race, "wf");
        Caller writing = race.caller();
        assertThat(worker.in(writing.stores).update()).isInstanceOf(Updated.class);
        race.expire("lease", "wf");
        Background<Long> takeover = race.inBackground(() -> {
            Race.granted(acquire("b", SECOND));
            return race.stores.workflows().find("wf").orElseThrow().revision();
        });
        race.awaitBlockedOrDone(takeover);
        writing.commit();
        assertThat(takeover.result()).as("revision that the new holder sees").isEqualTo(2);
    }

    // BL-02
    @Test
    void aTransactionOpenedLongAgoDoesNotShortenALease() {
        race.granted("wf", "b");
        race.expire("lease", "wf");
        Caller caller = race.caller().run("select 1");
        race.pass(Duration.ofMillis(1_200));
        Lease lease = Race.granted(race.inBackground(
                        caller, () -> caller.stores.leases().acquire(race.key("wf"), "a", Duration.ofSeconds(2)))
                .result());
        caller.commit();
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(2));
        assertThat(acquire("c", SECOND)).isInstanceOf(Busy.class);
    }

    // F-17
    @Test
    void ofTwoWhoRaceForAFreeLeaseOneIsGrantedEachTime() {
        CyclicBarrier start = new CyclicBarrier(2);
        for (long round = 1; round <= 200; round++) {
            List<Acquisition> answers = Stream.of("a", "b")
                    .map(owner -> race.inBackground(() -> {
                        start.await();
                        return acquire(owner, SECOND);
                    }))
                    .toList()
                    .stream()
                    .map(Background::result)
                    .toList();
            Lease lease = answers.stream()
                    .filter(Granted.class::isInstance)
                    .map(Race::granted)
                    .findFirst()
                    .orElseThrow();
            assertThat(answers).filteredOn(Busy.class::isInstance).hasSize(1);
            assertThat(lease.fence().token()).isEqualTo(round);
            assertThat(race.stores.leases().release(lease.key(), lease.fence())).isTrue();
        }
    }

    // BL-13
    @Test
    void ofManyWhoWakeForAnExpiredLeaseOneIsGranted() {
        race.granted("wf", "former");
        race.expire("lease", "wf");
        CyclicBarrier start = new CyclicBarrier(32);
        List<Background<Acquisition>> calls = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            String owner = "w" + i;
            calls.add(race.inBackground(() -> {
                start.await();
                return acquire(owner, Race.TTL);
            }));
        }
        List<Acquisition> answers = calls.stream().map(Background::result).toList();
        assertThat(answers)
                .filteredOn(Granted.class::isInstance)
                .singleElement()
                .satisfies(granted ->
                        assertThat(Race.granted(granted).fence().token()).isEqualTo(2));
        assertThat(answers).filteredOn(Busy.class::isInstance).hasSize(31);
    }
}
