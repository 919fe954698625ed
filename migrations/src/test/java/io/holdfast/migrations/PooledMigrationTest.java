package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.migrations.SchemaStatus.Current;
import io.holdfast.migrations.SchemaStatus.Missing;
import io.holdfast.testing.TestDatabase;
import io.holdfast.testing.TestPooler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through a pooler in transaction mode nothing is migrated, and whoever tries is told why and what to do. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PooledMigrationTest {

    private final TestDatabase database = TestDatabase.empty("pooled");

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void twoConnectionsInOneSessionAreRefused() throws SQLException {
        try (Connection session = database.connect()) {
            refused(inTurn(session));
        }
    }

    // What a pooler does that hands its server connections out in turn.
    @Test
    void aConnectionThatChangesItsSessionIsRefused() throws SQLException {
        try (Connection first = database.connect();
                Connection second = database.connect();
                Connection third = database.connect()) {
            refused(inTurn(first, second, third));
        }
    }

    @Test
    void connectionsWithASessionEachAreNot() throws SQLException {
        OwnSessions.require(database.directDataSource(), Migrator.DEFAULT_WAIT);
    }

    @Test
    void aConnectionThatDoesNotCommitByItselfIsLeftWithoutATransaction() throws SQLException {
        try (Connection one = database.connect();
                Connection other = database.connect()) {
            one.setAutoCommit(false);
            other.setAutoCommit(false);
            List<Connection> both = List.of(one, other);
            AtomicInteger next = new AtomicInteger();
            OwnSessions.require(source(() -> unclosed(both.get(next.getAndIncrement()))), Migrator.DEFAULT_WAIT);
            assertThat(database.value("select count(*) from pg_stat_activity where state like 'idle in%'"
                            + " and datname = current_database()"))
                    .isEqualTo("0");
        }
    }

    // With one server connection Flyway would wait for itself.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    @EnabledIfSystemProperty(
            named = "holdfast.test.pgbouncer",
            matches = ".+",
            disabledReason = "there is no PgBouncer")
    void throughPgBouncerInTransactionModeItIsRefusedWhateverItsSize(int servers) {
        try (TestPooler pooler = TestPooler.with(servers)) {
            refused(pooler.dataSource(database));
            Migrator.of(database.directDataSource(), "holdfast").migrate(Component.core());
            Migrator pooled = Migrator.of(pooler.dataSource(database), "holdfast");
            assertThat(pooled.status(Component.core())).isEqualTo(new Current(1));
            assertThatThrownBy(() -> pooled.migrate(Component.core())).isInstanceOf(InvalidValueException.class);
        }
    }

    private void refused(DataSource pooled) {
        assertThatThrownBy(() -> Migrator.of(pooled, "holdfast").migrate(Component.core()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("PgBouncer")
                .hasMessageContaining("straight to the server");
        assertThat(Migrator.of(database.directDataSource(), "holdfast").status(Component.core()))
                .isEqualTo(new Missing());
    }

    private interface Source {
        Connection connection() throws SQLException;
    }

    private static DataSource source(Source source) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("getConnection");
                    return source.connection();
                });
    }

    /** Connections each of whose statements goes to the next session. */
    private static DataSource inTurn(Connection... sessions) {
        AtomicInteger turn = new AtomicInteger();
        return source(() -> unclosed(() -> sessions[turn.getAndIncrement() % sessions.length]));
    }

    private static Connection unclosed(Connection connection) {
        return unclosed(() -> connection);
    }

    private static Connection unclosed(Source source) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(source.connection(), args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
