package io.holdfast.repository;

import static io.holdfast.repository.KeeperScene.MINUTE;
import static io.holdfast.repository.KeeperScene.QUICK;
import static io.holdfast.repository.KeeperScene.key;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A keeper whose database behaves. What it does when nothing does is {@link LeaseKeeperTroubleTest}. */
class LeaseKeeperTest {

    private static final KeeperScene SCENE = new KeeperScene();

    @AfterAll
    static void close() {
        SCENE.close();
    }

    @BeforeEach
    void nothingHappenedYet() {
        SCENE.forget();
        SCENE.proxy.reset();
    }

    // H42, BL-11, BL-62
    @Test
    void leasesOutliveTheirTtlAtFewerThanFiveStatementsASecond() throws SQLException {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers)) {
            List<KeptLease> leases = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                leases.add(SCENE.kept(keeper, "short-" + i, Lease.MIN_TTL));
                passTime(100);
            }
            SCENE.proxy.reset();
            passTime(2_500);
            assertThat(SCENE.renewalsSent()).isBetween(4L, 12L);
            assertThat(leases).allMatch(KeptLease::isHeld);
            assertThat(leases)
                    .allMatch(lease -> SCENE.liveInDatabase(lease.key().id()));
            leases.forEach(KeptLease::close);
            assertThat(SCENE.told).isEmpty();
        }
    }

    // BL-11
    @Test
    void aThousandLeasesAreRenewedInOneStatement() {
        SCENE.database.execute(
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select '" + SCENE.scope.id()
                        + "', 'test', 'thousand-' || n, 'worker', 1, 60000, clock_timestamp(),"
                        + " clock_timestamp() + interval '60 seconds' from generate_series(1, 1000) n");
        LeaseKeeperSettings settings = LeaseKeeperSettings.DEFAULT.withInterval(Duration.ofSeconds(15));
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, settings)) {
            // As if asked for ten seconds ago; the last of them fifteen, so that it is due.
            long askedAt = System.nanoTime() - SECONDS.toNanos(10);
            for (int i = 1; i <= 1_000; i++) {
                LeaseKey key = key("thousand-" + i);
                Lease lease = new Lease(key, new Fence("worker", 1), MINUTE, Instant.EPOCH, Instant.EPOCH, MINUTE);
                long ago = i == 1_000 ? SECONDS.toNanos(5) : 0;
                keeper.keep(SCENE.stores, lease, askedAt - ago, SCENE.told::add);
            }
            await().until(() -> SCENE.renewed("thousand-") == 1_000);
            assertThat(SCENE.renewalsSent()).isEqualTo(1);
        }
    }

    @Test
    void leasesOfTwoScopesShareAStatement() {
        Stores other = SCENE.holdfast.in(Scope.of(SCENE.scope.id() + "-other"));
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK.withInterval(Duration.ofSeconds(1)))) {
            KeptLease one = SCENE.kept(keeper, "same-id", MINUTE);
            var answer = keeper.acquire(other, key("same-id"), "worker", MINUTE, SCENE.told::add);
            KeptLease two = ((Keeping.Kept) answer).lease();
            SCENE.proxy.reset();
            await().until(() -> SCENE.renewed("same-id") == 1 && renewedIn(other));
            assertThat(SCENE.renewalsSent()).isEqualTo(1);
            SCENE.takenOver("same-id");
            await().until(() -> !one.isHeld());
            assertThat(two.isHeld()).isTrue();
        }
    }

    @Test
    void aTakeoverIsToldOnceAndNeverTakenBack() throws InterruptedException {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "taken", MINUTE);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.end()).isEmpty();
            SCENE.takenOver("taken");
            assertThat(SCENE.nextTold()).isSameAs(lease);
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.remaining()).isZero();
            assertThat(lease.end()).contains(KeptLease.End.LOST);
            assertThat(lease.release()).isFalse();
        }
        assertThat(SCENE.told).isEmpty();
    }

    @Test
    void theSameOwnerAgainIsGrantedAndItsFormerHandleIsLost() throws InterruptedException {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            KeptLease former = SCENE.kept(keeper, "again", MINUTE);
            KeptLease present = SCENE.kept(keeper, "again", MINUTE);
            assertThat(SCENE.nextTold()).isSameAs(former);
            assertThat(present.isHeld()).isTrue();
            assertThat(present.fence().token()).isGreaterThan(former.fence().token());
        }
    }

    @Test
    void whatAnotherOwnerHoldsIsBusyForAsLongAsItLasts() {
        SCENE.stores.leases().acquire(key("busy"), "rival", MINUTE);
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers)) {
            Keeping answer = keeper.acquire(SCENE.stores, key("busy"), "worker", MINUTE, SCENE.told::add);
            assertThat(answer).isInstanceOf(Keeping.Busy.class);
            assertThat(((Keeping.Busy) answer).retryAfter()).isBetween(Duration.ofSeconds(50), MINUTE);
        }
    }

    @Test
    void releasingEndsTheKeepingAndFreesTheLease() {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "released", MINUTE);
            assertThat(lease.release()).isTrue();
            assertThat(lease.release()).isFalse();
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.end()).contains(KeptLease.End.RELEASED);
            assertThat(SCENE.stores.leases().acquire(key("released"), "rival", MINUTE))
                    .isInstanceOf(Acquisition.Granted.class);
        }
        assertThat(SCENE.told).isEmpty();
    }

    @Test
    void aRenewalOnItsWayDoesNotTurnAReleaseIntoALoss() {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "on-its-way", MINUTE);
            KeptLease other = SCENE.kept(keeper, "on-its-way-other", MINUTE);
            SCENE.withARenewalOnItsWay();
            assertThat(lease.release()).isTrue();
            await().until(() -> SCENE.renewed("on-its-way-other") == 1);
            SCENE.takenOver("on-its-way-other");
            await().until(() -> !other.isHeld()); // so the answer that spoke of both has been read
            assertThat(lease.end()).contains(KeptLease.End.RELEASED);
        }
        assertThat(SCENE.told).extracting(lease -> lease.key().id()).containsExactly("on-its-way-other");
    }

    @Test
    void whatIsNoLongerKeptRunsOutWithoutACallback() {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "left", MINUTE);
            KeptLease other = SCENE.kept(keeper, "left-other", MINUTE);
            lease.stopKeeping();
            SCENE.takenOver("left");
            SCENE.takenOver("left-other");
            await().until(() -> !other.isHeld());
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(SCENE.told).extracting(lease -> lease.key().id()).containsExactly("left-other");
    }

    @Test
    void closingTellsWorkersAndLeavesTheLeaseToExpire() throws InterruptedException {
        LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK);
        KeptLease lease = SCENE.kept(keeper, "closed", MINUTE);
        keeper.close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(SCENE.nextTold()).isSameAs(lease);
        assertThat(lease.end()).contains(KeptLease.End.KEEPER_CLOSED);
        assertThat(SCENE.liveInDatabase("closed")).isTrue();
        assertThat(lease.release()).isTrue();
        assertThatThrownBy(() -> SCENE.kept(keeper, "closed", MINUTE)).isInstanceOf(StoreUnavailableException.class);
        assertThat(SCENE.stores.leases().find(key("closed"))).isEmpty();
        keeper.close();
        assertThat(SCENE.told).isEmpty();
    }

    @Test
    void aKeeperOfItsOwnConnectionTakesNoneOfTheWorkers() {
        Settings settings = Settings.of(SCENE.database.url(), SCENE.database.user(), SCENE.database.password());
        long before = sessions(); // of pools that were closed, which a pooler keeps
        try (LeaseKeeper keeper = LeaseKeeper.open(settings, QUICK)) {
            SCENE.kept(keeper, "own", MINUTE);
            await().until(() -> SCENE.renewed("own") == 1);
            assertThat(sessions()).isLessThanOrEqualTo(before + 1);
        }
    }

    private static long sessions() {
        return Long.parseLong(String.valueOf(SCENE.database.value("select count(*) from pg_stat_activity"
                + " where application_name = 'holdfast' and datname = current_database()")));
    }

    @Test
    void aKeeperOfItsOwnConnectionRenewsWhileTheWorkersHoldAllOfTheirs() throws Exception {
        Settings settings = Settings.of(SCENE.database.url(), SCENE.database.user(), SCENE.database.password())
                .withPoolSize(2)
                .withCheckoutTimeout(Duration.ofSeconds(3)); // also that of opening
        CountDownLatch held = new CountDownLatch(2);
        CountDownLatch done = new CountDownLatch(1);
        try (Holdfast workers = Holdfast.open(settings);
                LeaseKeeper keeper = LeaseKeeper.open(settings, QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "full", MINUTE);
            List<Background<Boolean>> holding = List.of(hold(workers, held, done), hold(workers, held, done));
            assertThat(held.await(10, SECONDS)).isTrue();
            assertThatThrownBy(() -> workers.in(SCENE.scope).leases().find(key("full")))
                    .isInstanceOf(StoreUnavailableException.class);
            String before = end("full");
            await().until(() -> !end("full").equals(before));
            assertThat(lease.isHeld()).isTrue();
            done.countDown();
            for (Background<Boolean> one : holding) {
                assertThat(one.get()).isTrue();
            }
        } finally {
            done.countDown();
        }
    }

    /** A transaction that keeps its connection. */
    private static Background<Boolean> hold(Holdfast workers, CountDownLatch held, CountDownLatch done) {
        return Background.run(() -> workers.atomically(bound -> {
            bound.in(SCENE.scope).leases().find(key("any"));
            held.countDown();
            try {
                return done.await(30, SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
    }

    private static String end(String id) {
        return SCENE.database.value("select expires_at from holdfast.lease where " + SCENE.row(id));
    }

    @Test
    void aHostsExecutorRunsItAndIsLeftOpen() throws InterruptedException {
        ExecutorService host = Executors.newCachedThreadPool();
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK.withExecutor(host))) {
            KeptLease lease = SCENE.kept(keeper, "hosted", MINUTE);
            SCENE.takenOver("hosted");
            assertThat(SCENE.nextTold()).isSameAs(lease);
        }
        assertThat(host.isShutdown()).isFalse();
        host.shutdown();
        assertThat(host.awaitTermination(10, SECONDS)).isTrue();
    }

    @Test
    void anExecutorWithoutTwoThreadsIsRefused() {
        ExecutorService one = Executors.newSingleThreadExecutor();
        assertThatThrownBy(() -> LeaseKeeper.over(SCENE.keepers, QUICK.withExecutor(one)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("executor");
        one.shutdownNow();
        assertThatThrownBy(() -> LeaseKeeper.over(SCENE.keepers, QUICK.withExecutor(one)))
                .isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aFacadeInACallersTransactionIsRefused() {
        var unit = OwnUnit.over(SCENE.database.dataSource(), SchemaName.DEFAULT);
        try (unit;
                var entityManager = unit.createEntityManager();
                LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers)) {
            Holdfast joining = Holdfast.joining(entityManager);
            assertThatThrownBy(() -> LeaseKeeper.over(joining)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> keeper.acquire(joining.in(SCENE.scope), key("x"), "w", MINUTE, SCENE.told::add))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("stores");
            SCENE.holdfast.atomically(bound -> {
                assertThatThrownBy(() -> LeaseKeeper.over(bound)).isInstanceOf(InvalidValueException.class);
                return true;
            });
        }
    }

    // H25
    @Test
    void settingsThatLeaveNoTimeToRenewAreRefusedBeforeAnythingIsWritten() {
        LeaseKeeperSettings settings =
                QUICK.withInterval(Duration.ofSeconds(20)).withMargin(Duration.ofSeconds(40));
        LeaseKey key = key("no-time");
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, settings)) {
            assertThatThrownBy(() -> keeper.acquire(SCENE.stores, key, "worker", MINUTE, SCENE.told::add))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("ttl");
        }
        assertThat(SCENE.stores.leases().find(key)).isEmpty();
        assertThatThrownBy(() -> QUICK.withInterval(Duration.ofMillis(249))).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> QUICK.withMargin(Duration.ofSeconds(-1))).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aLeaseIsKeptOnceAndTheTimeItWasAskedForIsPast() {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers)) {
            long askedAt = System.nanoTime();
            Lease lease = SCENE.granted("twice", MINUTE);
            keeper.keep(SCENE.stores, lease, askedAt, SCENE.told::add);
            assertThatThrownBy(() -> keeper.keep(SCENE.stores, lease, askedAt, SCENE.told::add))
                    .isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> keeper.keep(SCENE.stores, lease, askedAt + MINUTE.toNanos(), SCENE.told::add))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("askedAt");
        }
    }

    private static boolean renewedIn(Stores stores) {
        Lease lease = stores.leases().find(key("same-id")).orElseThrow();
        return lease.expiresAt().isAfter(lease.grantedAt().plus(lease.ttl()));
    }

    /** Where time itself must pass. */
    private static void passTime(int milliseconds) throws SQLException {
        try (Connection connection = SCENE.database.connect();
                var statement = connection.createStatement()) {
            statement.execute("select pg_sleep(" + milliseconds / 1_000.0 + ")");
        }
    }
}
