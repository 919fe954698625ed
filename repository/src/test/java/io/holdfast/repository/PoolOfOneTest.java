package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Leases;
import io.holdfast.migrations.SchemaName;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One connection is enough for everything, and nothing is left on it. */
class PoolOfOneTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static HikariDataSource pool;
    private static Holdfast holdfast;
    private static EntityManagerFactory unit;

    @BeforeAll
    static void open() {
        TestDatabase database = TestDatabase.get();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(PATIENCE.toMillis());
        pool = new HikariDataSource(config);
        holdfast = Holdfast.open(pool);
        unit = OwnUnit.over(pool, SchemaName.DEFAULT);
        new Worker(holdfast.in(scope()), "floor").acquired("a");
    }

    @AfterAll
    static void close() {
        unit.close();
        holdfast.close();
        pool.close();
    }

    private static Scope scope() {
        return Scope.of("pool-of-one");
    }

    private static Worker worker(Holdfast facade) {
        return new Worker(facade.in(scope()), "wf-" + NUMBER.incrementAndGet());
    }

    // BL-42
    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationInsideAtomicallyNeedsNoOtherConnection(Operations.Case operation) {
        Object answer = holdfast.atomically(
                bound -> operation.prepare().apply(worker(bound)).get());
        assertThat(answer).isInstanceOf(operation.answer());
    }

    // BL-42, BL-43: a setting made for our statement would last until the caller's commit.
    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationInACallersTransactionNeedsNoOtherConnectionAndLeavesItsSettingsAlone(Operations.Case operation) {
        try (EntityManager manager = unit.createEntityManager()) {
            manager.getTransaction().begin();
            Session session = manager.unwrap(Session.class);
            session.doWork(connection -> run(connection, "set local lock_timeout = '7s'"));
            String before = session.doReturningWork(PoolOfOneTest::settings);
            Supplier<?> prepared = operation.prepare().apply(worker(Holdfast.joining(manager)));
            assertThat(prepared.get()).isInstanceOf(operation.answer());
            String after = session.doReturningWork(PoolOfOneTest::settings);
            assertThat(after).isEqualTo(before).contains("lock_timeout=7000");
            manager.getTransaction().commit();
        }
    }

    // BL-43
    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationLeavesNoSettingOnThePoolsConnection(Operations.Case operation) throws SQLException {
        String before = settings();
        assertThat(operation.prepare().apply(worker(holdfast)).get()).isInstanceOf(operation.answer());
        assertThat(settings()).isEqualTo(before).contains("lock_timeout=0");
    }

    // BL-43
    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationThatIsRolledBackLeavesNoSettingOnThePoolsConnection(Operations.Case operation) throws SQLException {
        String before = settings();
        IllegalStateException undone = new IllegalStateException("undone");
        try {
            holdfast.atomically(bound -> {
                assertThat(operation.prepare().apply(worker(bound)).get()).isNotNull();
                throw undone;
            });
        } catch (IllegalStateException e) {
            assertThat(e).isSameAs(undone);
        }
        assertThat(settings()).isEqualTo(before);
    }

    // BL-43
    @Test
    void anOperationThatFailedLeavesNoSettingOnThePoolsConnection() throws SQLException {
        String before = settings();
        Worker worker = worker(holdfast);
        Fence fence = worker.acquired("a");
        try (Holdfast impatient = Holdfast.open(pool, Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(100)));
                RowLock lock = RowLock.onLease(TestDatabase.get(), worker)) {
            Leases leases = impatient.in(scope()).leases();
            Thrown.by(() -> leases.renew(worker.lease(), fence)).is(StoreTimeoutException.class, true);
            Thrown.by(() -> impatient.atomically(
                            bound -> bound.in(scope()).leases().renew(worker.lease(), fence)))
                    .is(StoreTimeoutException.class, true);
        }
        assertThat(settings()).isEqualTo(before);
    }

    private static String settings() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return settings(connection);
        }
    }

    /**
     * Everything that {@code set} can change, and the transaction's isolation. But for the settings of PL/pgSQL: a session has
     * none before the first call of a function.
     */
    private static String settings(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select string_agg(name || '=' || setting, E'\\n' order by name)"
                        + " || (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())"
                        + " from pg_settings where name not like 'plpgsql.%'")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
