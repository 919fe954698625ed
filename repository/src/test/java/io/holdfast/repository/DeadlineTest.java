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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
