package io.holdfast.repository;

import static io.holdfast.repository.KeeperScene.MINUTE;
import static io.holdfast.repository.KeeperScene.QUICK;
import static io.holdfast.repository.KeeperScene.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.HoldfastException;
import io.holdfast.testing.ServerProxy.Strike;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A keeper whose database is slow, silent or gone, and whose workers misbehave. */
@Timeout(60)
class LeaseKeeperTroubleTest {

    private static final KeeperScene SCENE = new KeeperScene();
    private static final Logger LOG = Logger.getLogger(LeaseKeeper.class.getName());

    @AfterAll
    static void close() {
        SCENE.close();
    }

    @BeforeEach
    void nothingHappenedYet() {
        SCENE.forget();
        SCENE.proxy.resume();
        SCENE.proxy.reset();
    }

    // BL-05
    @Test
    void aSilentDatabaseMakesItGiveUpBeforeTheDatabaseWould() throws InterruptedException {
        BlockingQueue<Boolean> liveWhenTold = new LinkedBlockingQueue<>();
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers)) {
            KeptLease lease = SCENE.kept(
                    keeper,
                    "silent",
                    Duration.ofSeconds(2),
                    lost -> liveWhenTold.add(!lost.isHeld() && SCENE.liveInDatabase("silent")));
            SCENE.proxy.blackHole(); // the renewal hangs in it, and is not what tells the worker
            assertThat(liveWhenTold.poll(10, TimeUnit.SECONDS)).isTrue();
            assertThat(lease.end()).contains(KeptLease.End.GIVEN_UP);
            assertThat(lease.release()).isTrue();
            SCENE.proxy.resume();
        }
    }

    @Test
    void closingDoesNotWaitForASilentDatabase() throws InterruptedException {
        LeaseKeeper keeper = LeaseKeeper.open(throughTheProxy(), QUICK);
        KeptLease lease = SCENE.kept(keeper, "close-silent", MINUTE);
        await().until(() -> SCENE.renewed("close-silent") == 1);
        SCENE.proxy.blackHole();
        long before = System.nanoTime();
        keeper.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(SCENE.nextTold()).isSameAs(lease);
    }

    // BL-05
    @Test
    void aLockedRowIsTriedAgainAndNotLost() throws SQLException {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK);
                Connection rival = SCENE.database.connect()) {
            KeptLease lease = SCENE.kept(keeper, "locked", MINUTE);
            rival.setAutoCommit(false);
            try (var statement = rival.createStatement()) {
                statement.execute("select 1 from holdfast.lease where " + SCENE.row("locked") + " for update");
            }
            SCENE.proxy.reset();
            await().until(() -> SCENE.renewalsSent() >= 3);
            assertThat(lease.isHeld()).isTrue();
            assertThat(SCENE.renewed("locked")).isZero();
            rival.rollback();
            await().until(() -> SCENE.renewed("locked") == 1);
            assertThat(lease.isHeld()).isTrue();
            lease.close();
        }
        assertThat(SCENE.told).isEmpty();
    }

    // BL-11
    @Test
    void aFullPoolIsWaitedOut() throws InterruptedException {
        Settings settings = Settings.of(SCENE.database.url(), SCENE.database.user(), SCENE.database.password())
                .withPoolSize(1)
                .withCheckoutTimeout(Duration.ofMillis(250));
        CountDownLatch free = new CountDownLatch(1);
        try (Holdfast crowded = Holdfast.open(settings);
                Logged logged = new Logged();
                LeaseKeeper keeper = LeaseKeeper.over(crowded, QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "crowded", MINUTE);
            Thread greedy = new Thread(() -> crowded.atomically(bound -> {
                bound.in(SCENE.scope).leases().find(key("crowded"));
                return awaited(free);
            }));
            greedy.start();
            await().until(() -> logged.has("the pool gave no connection in time"));
            assertThat(lease.isHeld()).isTrue();
            free.countDown();
            greedy.join();
            await().until(() -> SCENE.renewed("crowded") == 1);
            await().until(() -> logged.has("Leases are renewed again"));
            lease.close();
        }
        assertThat(SCENE.told).isEmpty();
    }

    // BL-08
    @Test
    void aConnectionThatBreaksIsReplaced() {
        try (LeaseKeeper keeper = LeaseKeeper.open(throughTheProxy(), QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "broken", MINUTE);
            Strike before = SCENE.proxy.cutBefore("skip locked");
            await().until(before::happened);
            await().until(() -> SCENE.renewed("broken") == 1);
            Strike after = SCENE.proxy.cutAfter("skip locked"); // nobody knows whether that was renewed: once more
            await().until(after::happened);
            SCENE.proxy.reset();
            await().until(() -> SCENE.renewalsSent() > 0);
            SCENE.proxy.cutNow();
            SCENE.proxy.reset();
            await().until(() -> SCENE.renewalsSent() > 1);
            assertThat(lease.isHeld()).isTrue();
            lease.close();
        }
        assertThat(SCENE.told).isEmpty();
    }

    @Test
    void aLeaseThatExpiredInTheDatabaseIsLost() throws InterruptedException {
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            KeptLease lease = SCENE.kept(keeper, "expired", MINUTE);
            SCENE.database.execute(
                    "update holdfast.lease set expires_at = clock_timestamp() where " + SCENE.row("expired"));
            assertThat(SCENE.nextTold()).isSameAs(lease);
            assertThat(lease.end()).contains(KeptLease.End.LOST);
        }
    }

    @Test
    void aCallbackThatThrowsOrHangsDisturbsNobodyElse() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch hung = new CountDownLatch(1);
        try (Logged logged = new Logged();
                LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            SCENE.kept(keeper, "throws", MINUTE, lost -> {
                throw new AssertionError("a secret of the application");
            });
            SCENE.kept(keeper, "hangs", MINUTE, lost -> {
                hanging.countDown();
                awaited(hung);
            });
            KeptLease third = SCENE.kept(keeper, "third", MINUTE);
            KeptLease fourth = SCENE.kept(keeper, "fourth", MINUTE);
            SCENE.takenOver("throws");
            SCENE.takenOver("hangs");
            awaited(hanging);
            SCENE.takenOver("third");
            assertThat(SCENE.nextTold()).isSameAs(third);
            await().until(() -> SCENE.renewed("fourth") == 1);
            assertThat(fourth.isHeld()).isTrue();
            await().until(() -> logged.has("callback failed"));
            assertThat(logged.has("secret")).isFalse();
            fourth.close();
        } finally {
            hung.countDown();
        }
    }

    @Test
    void aHostThatWantsItsThreadBackGetsItAndWorkersAreTold() throws InterruptedException {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        LeaseKeeperSettings settings = QUICK.withThreads(task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            return thread;
        });
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, settings)) {
            KeptLease lease = SCENE.kept(keeper, "undeployed", MINUTE);
            List<Thread> loops = List.copyOf(threads);
            loops.forEach(Thread::interrupt);
            assertThat(SCENE.nextTold()).isSameAs(lease);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(lease.end()).contains(KeptLease.End.KEEPER_CLOSED);
        }
    }

    @Test
    void aReleaseThatFailsStillEndsTheLeaseForItsWorker() {
        Holdfast workers = Holdfast.open(SCENE.database.dataSource());
        try (LeaseKeeper keeper = LeaseKeeper.over(SCENE.keepers, QUICK)) {
            var answer = keeper.acquire(workers.in(SCENE.scope), key("orphan"), "worker", MINUTE, SCENE.told::add);
            KeptLease lease = ((Keeping.Kept) answer).lease();
            workers.close();
            lease.close();
            assertThat(lease.isHeld()).isFalse();
            assertThatThrownBy(lease::release).isInstanceOf(HoldfastException.class);
        }
        assertThat(SCENE.liveInDatabase("orphan")).isTrue();
        assertThat(SCENE.told).isEmpty();
    }

    private static Settings throughTheProxy() {
        return Settings.of(SCENE.proxy.url(), SCENE.database.user(), SCENE.database.password());
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(50, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the keeper logs meanwhile. */
    private static final class Logged extends Handler implements AutoCloseable {

        private final List<String> messages = new CopyOnWriteArrayList<>();

        Logged() {
            LOG.addHandler(this);
        }

        boolean has(String text) {
            return messages.stream().anyMatch(message -> message.contains(text));
        }

        @Override
        public void publish(LogRecord entry) {
            messages.add(entry.getMessage()
                    + List.of(entry.getParameters() == null ? new Object[0] : entry.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            LOG.removeHandler(this);
        }
    }
}
