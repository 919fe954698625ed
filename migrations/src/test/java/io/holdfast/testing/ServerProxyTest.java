package io.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The proxy is what round-trip and error tests rest on, so it is tested itself. */
class ServerProxyTest {

    private TestDatabase database;
    private ServerProxy proxy;

    @BeforeEach
    void open() {
        database = TestDatabase.empty("proxy");
        database.execute("create table t (n int)");
        proxy = ServerProxy.to(database);
    }

    @AfterEach
    void close() {
        proxy.close();
        database.close();
    }

    @Test
    void aTransactionOfOneStatementIsTwoRoundTripsAndAutocommitIsOne() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            proxy.reset();
            run(connection, "insert into t values (1)");
            assertThat(proxy.roundTrips()).isEqualTo(1);

            connection.setAutoCommit(false);
            proxy.reset();
            run(connection, "insert into t values (2)");
            connection.commit();
            assertThat(proxy.roundTrips()).isEqualTo(2);
            assertThat(proxy.statements()).containsExactly("BEGIN", "insert into t values (2)", "COMMIT");
        }
    }

    @Test
    void aDelayIsAddedToEachRoundTrip() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            var strike = proxy.delay(Duration.ofMillis(60));
            assertThat(strike.happened()).isFalse();
            long start = System.nanoTime();
            run(connection, "select 1");
            run(connection, "select 2");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
            assertThat(strike.happened()).isTrue();
        }
    }

    @Test
    void aConnectionThatIsCutInMidMessageEndsAndTheNextOneIsWhole() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            proxy.cutInMessage(500);
            assertThatThrownBy(() -> run(connection, "select repeat('x', 1000)"))
                    .isInstanceOf(SQLException.class);
        }
        try (Connection connection = proxy.dataSource().getConnection()) {
            run(connection, "select repeat('x', 1000)");
        }
    }

    @Test
    void aCommitThatIsCutBeforeTheServerIsNotCommitted() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            run(connection, "insert into t values (1)");
            var strike = proxy.cutBefore("commit");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(strike.happened()).isTrue();
        }
        assertThat(database.value("select count(*) from t")).isEqualTo("0");
    }

    @Test
    void aCommitWhoseAnswerIsCutIsCommittedAndTheClientSeesTheSameError() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 10; i++) { // often enough that the driver's COMMIT is a prepared statement
                run(connection, "insert into t values (" + i + ")");
                connection.commit();
            }
            run(connection, "insert into t values (10)");
            var strike = proxy.cutAfter("commit");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(strike.happened()).isTrue();
        }
        assertThat(database.value("select count(*) from t")).isEqualTo("11");
    }

    @Test
    void cuttingNowEndsOpenConnectionsAndLetsNewOnesThrough() throws SQLException {
        try (Connection old = proxy.dataSource().getConnection()) {
            proxy.cutNow();
            assertThatThrownBy(() -> run(old, "select 1")).isInstanceOf(SQLException.class);
        }
        try (Connection fresh = proxy.dataSource().getConnection()) {
            run(fresh, "select 1");
        }
    }

    @Test
    void whatIsCutAtTheVeryEndOfAMessageIsCutInTheNext() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            run(connection, "select 1");
            var strike = proxy.cutInMessage(5); // ParseComplete, a message of five bytes, is whole
            assertThatThrownBy(() -> run(connection, "select 1")).isInstanceOf(SQLException.class);
            assertThat(strike.happened()).isTrue();
        }
    }

    @Test
    void whatIsDisarmedDoesNotStrike() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            var inMessage = proxy.cutInMessage(5);
            var before = proxy.cutBefore("insert into t");
            proxy.disarm();
            run(connection, "insert into t values (1)");
            assertThat(inMessage.happened()).isFalse();
            assertThat(before.happened()).isFalse();
        }
    }

    @Test
    void ofSeveralTextsTheFirstThatComesIsCutAndTheTimeIsKnown() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            var strike = proxy.cutAfter("update t", "insert into t");
            run(connection, "select 1");
            assertThat(strike.happened()).isFalse();
            long before = System.nanoTime();
            assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
                    .isInstanceOf(SQLException.class);
            assertThat(strike.nanos()).isBetween(before, System.nanoTime());
        }
        assertThat(database.value("select count(*) from t")).isEqualTo("1");
    }

    @Test
    void noStatementIsKeptWhereNobodyAsks() throws SQLException {
        proxy.keepNoStatements();
        try (Connection connection = proxy.dataSource().getConnection()) {
            run(connection, "select 1");
            assertThat(proxy.statements()).isEmpty();
            assertThat(proxy.roundTrips()).isPositive();
        }
    }

    @Test
    void whatFellIntoABlackHoleGetsToTheServerWhenItsSenderHasGivenUp() throws Exception {
        try (Connection connection = proxy.dataSource().getConnection()) {
            var strike = proxy.blackHole();
            assertThat(strike.happened()).isFalse();
            connection.setNetworkTimeout(Runnable::run, 200);
            assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
                    .isInstanceOf(SQLException.class);
            assertThat(strike.happened()).isTrue();
        }
        assertThat(database.value("select count(*) from t")).isEqualTo("0");
        proxy.resume();
        await(() -> database.value("select count(*) from t").equals("1"));
    }

    @Test
    void aBlackHoleSwallowsTheFirstWordOfANewConnection() throws Exception {
        var strike = proxy.blackHole();
        URI uri = URI.create(proxy.url().substring("jdbc:".length()));
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            new DataOutputStream(socket.getOutputStream()).writeLong((8L << 32) | 80_877_103); // asks for SSL
            assertThat(strike.happens(Duration.ofSeconds(30))).isTrue();
            socket.setSoTimeout(200);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            proxy.resume();
            socket.setSoTimeout(30_000);
            assertThat(socket.getInputStream().read()).isEqualTo('N');
        }
    }

    @Test
    void aBlackHoleSaysNothingUntilItIsLifted() throws SQLException {
        try (Connection connection = proxy.dataSource().getConnection()) {
            proxy.blackHole();
            connection.setNetworkTimeout(Runnable::run, 200);
            assertThatThrownBy(() -> run(connection, "select 1"))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("08006");
        }
        proxy.resume();
        try (Connection connection = proxy.dataSource().getConnection()) {
            run(connection, "select 1");
        }
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.call()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
