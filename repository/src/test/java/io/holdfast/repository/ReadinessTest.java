package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A probe that answers in time whatever the database does, and says why. */
@Timeout(60)
class ReadinessTest {

    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final Duration SLOW_MACHINE = Duration.ofSeconds(4);

    private static TestDatabase database;
    private static ServerProxy proxy;

    @BeforeAll
    static void open() {
        database = TestDatabase.empty("readiness");
        Migrator.of(database.dataSource(), "holdfast").migrate(Components.own());
        proxy = ServerProxy.to(database);
    }

    @AfterAll
    static void close() {
        proxy.close();
        database.close();
    }

    /** The pool's own timeouts are longer than the probe's, as they are by default. */
    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static Readiness asked(Holdfast holdfast) {
        long start = System.nanoTime();
        Readiness answer = holdfast.readiness();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND.plus(SLOW_MACHINE));
        assertThat(answer.toString()).doesNotContain("jdbc:", database.name(), "localhost", "select ");
        return answer;
    }

    @Test
    void aDatabaseThatIsAsItShouldBeIsReady() {
        try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Readiness answer = asked(holdfast);
            assertThat(answer.ready()).isTrue();
            assertThat(answer.reason()).isEmpty();
            assertThat(answer.facts()).containsEntry("schema.core", "Current[version=1]");
        }
    }

    /** As on a machine that has no thread left. */
    @Test
    void aCheckThatCannotBeStartedIsNotReadyAndDoesNotStandInTheWayOfTheNext() {
        AtomicBoolean full = new AtomicBoolean(true);
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>() {
            @Override
            protected String childValue(String parents) {
                if (full.get()) {
                    throw new LinkageError("no thread");
                }
                return parents;
            }
        };
        try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
            inherited.set("there");
            assertThat(asked(holdfast).facts()).containsEntry("code", "FAILED");
            full.set(false);
            assertThat(asked(holdfast).ready()).isTrue();
        } finally {
            inherited.remove();
        }
    }

    @Test
    void aServerThatHangsIsNotReadyAndReadyAgainWhenItAnswers() {
        try (HikariDataSource pool = pool(proxy.url());
                Holdfast holdfast = Holdfast.open(pool)) {
            proxy.blackHole();
            Readiness answer = asked(holdfast);
            assertThat(answer.ready()).isFalse();
            assertThat(answer.reason()).contains("the database did not answer in 3 seconds");
            proxy.resume();
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> asked(holdfast).ready());
        }
    }

    @Test
    void whileOneLooksTheOthersShareItsLook() throws Exception {
        try (HikariDataSource pool = pool(proxy.url());
                Holdfast holdfast = Holdfast.open(pool)) {
            proxy.blackHole();
            List<Background<Readiness>> asking = IntStream.range(0, 8)
                    .mapToObj(i -> Background.run(() -> asked(holdfast)))
                    .toList();
            for (Background<Readiness> one : asking) {
                assertThat(one.get().ready()).isFalse();
            }
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("holdfast-readiness"))
                    .hasSizeLessThanOrEqualTo(1);
        } finally {
            proxy.resume();
        }
    }

    @Test
    void aFullPoolIsNotReady() throws SQLException {
        try (HikariDataSource pool = pool(database.url());
                Holdfast holdfast = Holdfast.open(pool);
                Connection taken = pool.getConnection()) {
            assertThat(asked(holdfast).ready()).isFalse();
        }
    }

    @Test
    void aServerThatIsGoneIsNotReady() {
        try (ServerProxy gone = ServerProxy.to(database);
                HikariDataSource pool = pool(gone.url());
                Holdfast holdfast = Holdfast.open(pool)) {
            gone.close();
            assertThat(asked(holdfast).ready()).isFalse();
        }
    }

    @Test
    void aServerThatTakesNoWritesIsNotReady() {
        try (TestDatabase reader = database.asRuntimeRole("holdfast")) {
            database.execute("alter role " + reader.user() + " set default_transaction_read_only = on");
            try (Holdfast holdfast = Holdfast.open(reader.dataSource())) {
                Readiness answer = asked(holdfast);
                assertThat(answer.ready()).isFalse();
                assertThat(answer.facts()).containsEntry("code", "READ_ONLY");
            }
        }
    }

    @Test
    void tablesThatANewerReleaseChangedAreNotReady() {
        try (TestDatabase other = TestDatabase.migrated("newer");
                Holdfast holdfast = Holdfast.open(other.dataSource())) {
            other.execute("update holdfast.schema_history_core set version = '9' where type = 'SQL'");
            Readiness answer = asked(holdfast);
            assertThat(answer.ready()).isFalse();
            assertThat(answer.facts())
                    .containsEntry("code", "SCHEMA_MISMATCH")
                    .containsEntry("schema.core", "Newer[found=9, supported=1]");
        }
    }

    @Test
    void aClosedFacadeIsNotReady() {
        Holdfast holdfast = Holdfast.open(database.dataSource());
        holdfast.close();
        assertThat(asked(holdfast).facts()).containsEntry("code", "CLOSED");
    }

    @Test
    void aFacadeInACallersTransactionIsNotToBeAsked() {
        try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
            assertThatThrownBy(() -> holdfast.atomically(Holdfast::readiness))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("readiness must be asked of a facade that commits by itself");
        }
    }
}
