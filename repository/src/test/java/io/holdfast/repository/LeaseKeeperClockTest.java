package io.holdfast.repository;

import static io.holdfast.repository.KeeperScene.MINUTE;
import static io.holdfast.repository.KeeperScene.QUICK;
import static io.holdfast.repository.KeeperScene.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the local monotonic clock decides: only ever to stop earlier. Here it can leap, as after a pause of the process. */
class LeaseKeeperClockTest {

    private static final KeeperScene SCENE = new KeeperScene();

    private final Clock clock = new Clock();

    @AfterAll
    static void close() {
        SCENE.close();
    }

    @BeforeEach
    void nothingHappenedYet() {
        SCENE.forget();
        SCENE.proxy.reset();
    }

    // BL-62
    @Test
    void afterAPauseTheFlagIsDownBeforeAnythingElseHasRun() {
        BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
        AtomicInteger tasks = new AtomicInteger();
        Executor loopsOnly = task -> {
            if (tasks.incrementAndGet() <= 2) {
                new Thread(task).start();
            } else {
                callbacks.add(task);
            }
        };
        try (LeaseKeeper keeper = keeper(LeaseKeeperSettings.DEFAULT.withExecutor(loopsOnly))) {
            KeptLease lease = SCENE.kept(keeper, "paused", MINUTE);
            assertThat(lease.isHeld()).isTrue();
            clock.leap(MINUTE);
            assertThat(lease.isHeld()).isFalse();
            assertThat(SCENE.told).isEmpty();
            assertThat(callbacks).hasSize(1);
            callbacks.remove().run();
            assertThat(SCENE.told).containsExactly(lease);
            assertThat(lease.end()).contains(KeptLease.End.GIVEN_UP);
            assertThat(SCENE.liveInDatabase("paused")).isTrue();
        }
        assertThat(callbacks).isEmpty();
    }

    // BL-62
    @ParameterizedTest
    @CsvSource({"PT84M", "P400D"})
    void afterALeapLeasesAreGivenUpUnaskedAndNotRenewed(Duration leap) throws InterruptedException {
        String id = "leap-" + leap;
        try (LeaseKeeper keeper = keeper(QUICK)) {
            SCENE.kept(keeper, id, MINUTE);
            clock.leap(leap);
            assertThat(SCENE.nextTold()).isNotNull();
            SCENE.proxy.reset();
            SCENE.kept(keeper, id + "-next", MINUTE);
            await().until(() -> SCENE.renewed(id + "-next") == 1);
            assertThat(SCENE.renewalsSent()).isLessThan(5);
            assertThat(SCENE.liveInDatabase(id)).isTrue();
        }
    }

    @Test
    void aRenewalThatIsAnsweredTooLateRevivesNothing() throws InterruptedException {
        try (LeaseKeeper keeper = keeper(LeaseKeeperSettings.DEFAULT)) {
            long askedAt = clock.getAsLong();
            Lease asked = SCENE.granted("late", MINUTE);
            clock.leap(Duration.ofSeconds(40));
            SCENE.proxy.delay(Duration.ofSeconds(1));
            KeptLease lease = keeper.keep(SCENE.stores, asked, askedAt, SCENE.told::add);
            await().until(() -> SCENE.renewalsSent() > 0);
            SCENE.proxy.delay(Duration.ZERO);
            clock.leap(Duration.ofSeconds(20)); // past its end, not past what the answer grants
            await().until(() -> SCENE.renewed("late") == 1);
            assertThat(SCENE.nextTold()).isSameAs(lease);
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.end()).contains(KeptLease.End.GIVEN_UP);
        }
        assertThat(SCENE.told).isEmpty();
    }

    @Test
    void timeCountsFromBeforeTheRequestLessTheMargin() {
        try (LeaseKeeper keeper = keeper(LeaseKeeperSettings.DEFAULT)) {
            long askedAt = clock.getAsLong();
            Lease lease = SCENE.granted("asked", MINUTE);
            clock.leap(Duration.ofSeconds(10));
            KeptLease kept = keeper.keep(SCENE.stores, lease, askedAt, SCENE.told::add);
            assertThat(kept.remaining()).isBetween(Duration.ofSeconds(35), Duration.ofSeconds(44));
        }
    }

    @Test
    void whatComesTooLateToBeKeptIsToldAtOnce() throws InterruptedException {
        try (LeaseKeeper keeper = keeper(LeaseKeeperSettings.DEFAULT)) {
            long askedAt = clock.getAsLong();
            Lease lease = SCENE.granted("too-late", MINUTE);
            clock.leap(MINUTE);
            KeptLease kept = keeper.keep(SCENE.stores, lease, askedAt, SCENE.told::add);
            assertThat(kept.isHeld()).isFalse();
            assertThat(SCENE.nextTold()).isSameAs(kept);
        }
    }

    /** As of a database whose clock was put back or forward by years. */
    @Test
    void whatNoLeaseCanHaveLeftIsNotCountedOn() throws InterruptedException {
        try (LeaseKeeper keeper = keeper(LeaseKeeperSettings.DEFAULT)) {
            long askedAt = clock.getAsLong();
            KeptLease longest = keeper.keep(SCENE.stores, left("most", Long.MAX_VALUE), askedAt, SCENE.told::add);
            assertThat(longest.remaining()).isBetween(Duration.ofHours(23), Lease.MAX_TTL);
            KeptLease over = keeper.keep(SCENE.stores, left("least", Long.MIN_VALUE), askedAt, SCENE.told::add);
            assertThat(over.isHeld()).isFalse();
            assertThat(SCENE.nextTold()).isSameAs(over);
            longest.close();
        }
    }

    private static Lease left(String id, long seconds) {
        Duration remaining = Duration.ofSeconds(seconds);
        return new Lease(key(id), new Fence("worker", 1), MINUTE, Instant.EPOCH, Instant.EPOCH, remaining);
    }

    // H05
    @Test
    void aGrantAfterALongWaitIsKeptInFull() throws SQLException, InterruptedException, ExecutionException {
        SCENE.granted("waited", MINUTE);
        try (LeaseKeeper keeper = keeper(LeaseKeeperSettings.DEFAULT);
                Connection rival = SCENE.database.connect()) {
            rival.setAutoCommit(false);
            try (var statement = rival.createStatement()) {
                statement.execute("select 1 from holdfast.lease where " + SCENE.row("waited") + " for update");
            }
            CompletableFuture<KeptLease> waiting =
                    CompletableFuture.supplyAsync(() -> SCENE.kept(keeper, "waited", MINUTE));
            await().until(() -> "1"
                    .equals(SCENE.database.value("select count(*) from pg_stat_activity"
                            + " where datname = current_database() and wait_event_type = 'Lock'")));
            clock.leap(Duration.ofSeconds(58));
            rival.rollback();
            assertThat(waiting.get().remaining()).isGreaterThan(Duration.ofSeconds(40));
        }
    }

    @ParameterizedTest
    @CsvSource({"PT1S, PT0.25S", "PT2S, PT0.5S", "PT4S, PT1S", "PT10S, PT1S", "PT120S, PT12S"})
    void theMarginIsATenthButASecondAtLeastAndAQuarterAtMost(Duration ttl, Duration margin) {
        assertThat(LeaseKeeperSettings.DEFAULT.pace(ttl).margin()).isEqualTo(margin.toNanos());
    }

    @Test
    void onceItWasSeenDownTheFlagStaysDownHoweverRenewalsRace() {
        Lease lease = new Lease(key("race"), new Fence("worker", 1), MINUTE, Instant.EPOCH, Instant.EPOCH, MINUTE);
        var pace = new LeaseKeeperSettings.Pace(MINUTE.dividedBy(3).toNanos(), 0);
        for (int i = 0; i < 500; i++) {
            AtomicLong time = new AtomicLong(Long.MAX_VALUE - i); // and past the overflow
            AtomicInteger ends = new AtomicInteger();
            KeptLease kept = new KeptLease(
                    SCENE.stores,
                    lease,
                    time.get(),
                    pace,
                    time::get,
                    lost -> {},
                    (lost, end) -> ends.incrementAndGet());
            var renewing = CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 50; n++) {
                    kept.renewed(time.get(), Duration.ofNanos(MINUTE.toNanos() + n), 1);
                }
            });
            time.addAndGet(MINUTE.toNanos());
            boolean seen = kept.isHeld();
            renewing.join();
            assertThat(kept.isHeld()).isEqualTo(seen);
            assertThat(ends.get()).isEqualTo(seen ? 0 : 1);
        }
    }

    private LeaseKeeper keeper(LeaseKeeperSettings settings) {
        return LeaseKeeper.start(SCENE.keepers, settings, clock, () -> {});
    }

    private static final class Clock implements LongSupplier {

        private final AtomicLong ahead = new AtomicLong();

        void leap(Duration time) {
            ahead.addAndGet(time.toNanos());
        }

        @Override
        public long getAsLong() {
            return System.nanoTime() + ahead.get();
        }
    }
}
