package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.core.BaseStatement;

/** Statements that wait for a table somebody has locked for longer than they may. */
@Timeout(30)
class DeadlineTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    private Connection connection;
    private Connection locker;

    @BeforeEach
    void lock() throws SQLException {
        connection = DATABASE.connect();
        locker = DATABASE.connect();
        locker.setAutoCommit(false);
        locker.createStatement().execute("lock table holdfast.lease_floor in access exclusive mode");
    }

    @AfterEach
    void unlock() throws SQLException {
        locker.close();
        connection.close();
    }

    @Test
    void aStatementOverItsTimeIsCancelledWithoutTheDriversTimer() throws SQLException {
        try (PreparedStatement waiting = waiting()) {
            long start = System.nanoTime();
            try (Deadline deadline = Deadline.of(waiting)) {
                assertThat(waiting.getQueryTimeout()).as("left to the driver").isZero();
                cancelled(waiting);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
        }
    }

    @Test
    void whatTheConnectionDoesNextIsNotCancelled() throws SQLException {
        try (PreparedStatement waiting = waiting();
                Deadline deadline = Deadline.of(waiting)) {
            cancelled(waiting);
        }
        locker.rollback();
        try (PreparedStatement next = waiting();
                Deadline deadline = Deadline.of(next)) {
            assertThat(next.executeQuery()).isNotNull();
        }
    }

    /** The first look finds nothing over its time, and has to be followed by another. */
    @Test
    void oneThatBeginsWhileAnotherIsWatchedIsWatchedToo() throws SQLException {
        try (PreparedStatement quick = connection.prepareStatement("select 1")) {
            quick.setQueryTimeout(20);
            try (Deadline before = Deadline.of(quick);
                    PreparedStatement waiting = waiting();
                    Deadline deadline = Deadline.of(waiting)) {
                cancelled(waiting);
            }
        }
    }

    @Test
    void aStatementThatHidesTheDriversKeepsItsTimer() throws SQLException {
        try (PreparedStatement waiting = waiting()) {
            PreparedStatement hiding = (PreparedStatement) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {PreparedStatement.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("isWrapperFor")) {
                            return false;
                        }
                        try {
                            return method.invoke(waiting, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
            try (Deadline deadline = Deadline.of(hiding)) {
                assertThat(waiting.getQueryTimeout()).isEqualTo(1);
                cancelled(waiting);
            }
        }
    }

    /** A pool that keeps prepared statements gives the same one to whoever comes next. */
    @Test
    void aCancelThatCouldNotBeSentBeforeTheEndIsNotSentAfterIt() throws Exception {
        BlockingQueue<PreparedStatement> cancelled = new LinkedBlockingQueue<>();
        BlockingQueue<Thread> cancels = new LinkedBlockingQueue<>();
        CountDownLatch answered = new CountDownLatch(1);
        Consumer<PreparedStatement> hangs = statement -> {
            cancelled.add(statement);
            cancels.add(Thread.currentThread());
            await(answered);
        };
        PreparedStatement one = drivers(hangs);
        PreparedStatement other = drivers(hangs);
        try (Deadline ofOne = Deadline.of(one);
                Deadline ofOther = Deadline.of(other)) {
            Thread both = Objects.requireNonNull(cancels.poll(10, TimeUnit.SECONDS));
            PreparedStatement first = cancelled.element();
            (first == one ? ofOther : ofOne).close();
            answered.countDown();
            both.join();
            assertThat(cancelled).as("not the one that had ended").containsOnly(first);
        } finally {
            answered.countDown();
        }
    }

    @Test
    void theEndWaitsForACancelThatIsOnItsWay() throws Exception {
        BlockingQueue<Thread> cancels = new LinkedBlockingQueue<>();
        CountDownLatch answered = new CountDownLatch(1);
        PreparedStatement hanging = drivers(statement -> {
            cancels.add(Thread.currentThread());
            await(answered);
        });
        Deadline deadline = Deadline.of(hanging);
        assertThat(cancels.poll(10, TimeUnit.SECONDS)).isNotNull();
        Thread ends = new Thread(deadline::close, "ends");
        ends.start();
        Awaitility.await("the end waits").until(() -> ends.getState() != Thread.State.RUNNABLE);
        assertThat(ends.getState()).isEqualTo(Thread.State.WAITING);
        answered.countDown();
        ends.join();
    }

    /** A statement of the driver's that is over its time in a second and is cancelled like this. */
    private PreparedStatement drivers(Consumer<PreparedStatement> cancel) {
        return (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {PreparedStatement.class, BaseStatement.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "isWrapperFor":
                            return true;
                        case "unwrap":
                            return proxy;
                        case "getQueryTimeout":
                            return 1;
                        case "cancel":
                            cancel.accept((PreparedStatement) proxy);
                            return null;
                        case "hashCode":
                            return System.identityHashCode(proxy);
                        case "equals":
                            return proxy == arguments[0];
                        default:
                            return null;
                    }
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private PreparedStatement waiting() throws SQLException {
        PreparedStatement waiting = connection.prepareStatement("select floor from holdfast.lease_floor limit 1");
        waiting.setQueryTimeout(1);
        return waiting;
    }

    private static void cancelled(PreparedStatement statement) {
        assertThatThrownBy(statement::executeQuery)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
    }
}
