package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.testing.TestDatabase;
import io.holdfast.testing.TestPooler;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What PgBouncer in transaction mode gets to see of a facade, and that it gets to see all of it. */
@EnabledIfSystemProperty(named = "holdfast.test.pgbouncer", matches = ".+", disabledReason = "there is no PgBouncer")
class ThroughPoolerTest {

    private static final int CLIENTS = 4 * TestPooler.SERVERS;
    private static final int ROUNDS = 63;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static final TestPooler POOLER = Objects.requireNonNull(TestPooler.get());

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void open() {
        database = TestDatabase.migrated("pooled");
        holdfast = Holdfast.open(settings());
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    /** As the guide says: a URL without any parameter for the pooler, and one setting. */
    private static Settings settings() {
        String url = "jdbc:postgresql://" + POOLER.host() + ":" + POOLER.port() + "/" + database.name();
        // snippet: pooled
        return Settings.of(url, database.user(), database.password())
                .withNamedStatements(false)
                .withPoolSize(CLIENTS);
        // end
    }

    @Test
    void everyOperationIsATransactionOfThePoolers() {
        Worker worker = new Worker(holdfast.in(Scope.of("counted")), "wf");
        worker.created();
        long before = POOLER.transactions(database.name());
        for (int i = 0; i < 100; i++) {
            assertThat(worker.stores().workflows().find("wf")).isPresent();
        }
        assertThat(POOLER.transactions(database.name()) - before).isGreaterThanOrEqualTo(100);
    }

    // BL-43
    @Test
    void aThousandOperationsOfMoreClientsThanThereAreServersLeaveNothingInAnySession() throws Exception {
        Set<String> before = sessions();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        List<Future<Integer>> clients = new ArrayList<>();
        try {
            for (int client = 0; client < CLIENTS; client++) {
                clients.add(threads.submit(ThroughPoolerTest::operations));
            }
            int all = 0;
            for (Future<Integer> client : clients) {
                all += client.get(60, TimeUnit.SECONDS);
            }
            assertThat(all).isGreaterThanOrEqualTo(1_000);
        } finally {
            threads.shutdownNow();
        }
        assertThat(Integer.parseInt(database.value("select count(*) from pg_stat_activity where datname = '"
                        + database.name() + "' and pid <> pg_backend_pid()")))
                .as("server connections")
                .isBetween(2, TestPooler.SERVERS);
        assertThat(sessions()).isEqualTo(before).hasSize(1);
        assertThat(database.value("select count(*) from pg_locks where locktype = 'advisory'"))
                .isEqualTo("0");
    }

    private static int operations() {
        List<Operations.Case> cases = Operations.all().toList();
        int done = 0;
        for (; done < Math.max(ROUNDS, cases.size()); done++) {
            Operations.Case operation = cases.get(done % cases.size());
            Worker worker = new Worker(holdfast.in(Scope.of("many")), "wf-" + NUMBER.incrementAndGet());
            assertThat(operation.prepare().apply(worker).get()).isInstanceOf(operation.answer());
            holdfast.atomically(
                    bound -> bound.in(worker.stores().scope()).workflows().find(worker.id()));
        }
        return done;
    }

    /** The settings of all server sessions, which as many transactions at once must have; equal ones are one. */
    private static Set<String> sessions() throws SQLException {
        Set<String> settings = new TreeSet<>();
        Set<String> backends = new TreeSet<>();
        List<Connection> open = new ArrayList<>();
        try {
            for (int i = 0; i < TestPooler.SERVERS; i++) {
                Connection connection = database.dataSource().getConnection();
                open.add(connection);
                connection.setAutoCommit(false);
                try (var statement = connection.createStatement();
                        var row = statement.executeQuery(
                                "select pg_backend_pid(), (select string_agg(name || '='"
                                        + " || setting, E'\\n' order by name) from pg_settings where name not like 'plpgsql.%')")) {
                    row.next();
                    backends.add(row.getString(1));
                    settings.add(row.getString(2));
                }
            }
        } finally {
            for (Connection connection : open) {
                connection.rollback();
                connection.close();
            }
        }
        assertThat(backends).hasSize(TestPooler.SERVERS);
        return settings;
    }

    @Test
    void tablesAreNotMadeThroughIt() {
        assertThatThrownBy(() -> Holdfast.open(settings().withCreateTables(true)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("PgBouncer")
                .hasMessageContaining("straight to the server");
    }
}
