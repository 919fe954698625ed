package io.holdfast.repository;

import static io.holdfast.repository.Worker.closed;
import static io.holdfast.repository.Worker.queued;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How often an operation talks to the server, counted on the wire between the pool and the server. That no driver's
 * preparing or describing is among it is part of what is shown: the count is the same the first time and once the driver
 * has named the statement, which it does at the fifth.
 */
class RoundTripsTest {

    private static final int UNTIL_NAMED = 7;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static ServerProxy proxy;
    private static Holdfast committing;
    private static Holdfast withTransactions;
    private static HikariDataSource hosts;

    @BeforeAll
    static void open() {
        TestDatabase database = TestDatabase.get();
        proxy = ServerProxy.to(database);
        // The pool asks a connection that lay idle for half a second whether it lives: a slow machine must not be
        // counted.
        String bypass = "com.zaxxer.hikari.aliveBypassWindowMs";
        System.setProperty(bypass, "3600000");
        try {
            committing = Holdfast.open(Settings.of(proxy.url(), database.user(), database.password())
                    .withPoolSize(1));
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(proxy.url());
            config.setUsername(database.user());
            config.setPassword(database.password());
            config.setMaximumPoolSize(1);
            config.setAutoCommit(false);
            hosts = new HikariDataSource(config);
            withTransactions = Holdfast.open(hosts);
        } finally {
            System.clearProperty(bypass);
        }
    }

    @AfterAll
    static void close() {
        committing.close();
        withTransactions.close();
        hosts.close();
        proxy.close();
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationIsOneStatementWithoutATransaction(Operations.Case operation) {
        for (int time = 1; time <= UNTIL_NAMED; time++) {
            List<String> sent = sent(committing, operation);
            assertThat(proxy.roundTrips())
                    .as("round trips, time %d: %s", time, sent)
                    .isEqualTo(operation.statements());
            assertThat(sent).hasSize(operation.statements()).noneMatch(RoundTripsTest::isOverhead);
        }
    }

    /** The driver sends {@code BEGIN} along with the first statement, so a transaction costs one trip, its commit. */
    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void onAPoolThatDoesNotCommitByItselfATransactionAddsOneRoundTrip(Operations.Case operation) {
        List<String> sent = sent(withTransactions, operation);
        assertThat(proxy.roundTrips()).as("round trips: %s", sent).isEqualTo(operation.statements() + 1);
        assertThat(sent).startsWith("BEGIN").endsWith("COMMIT").hasSize(operation.statements() + 2);
        assertThat(sent.subList(1, sent.size() - 1)).noneMatch(RoundTripsTest::isOverhead);
    }

    @Test
    void theFirstLeaseOfAScopePaysForItsTokenFloor() {
        // Asked without a floor, the floor made, asked again.
        Worker worker = new Worker(committing.in(freshScope()), "wf");
        assertThat(sent(() -> worker.acquired("a"))).hasSize(3);
        assertThat(proxy.roundTrips()).isEqualTo(3);
        Worker next = new Worker(worker.stores(), "wf-2");
        assertThat(sent(() -> next.acquired("a"))).hasSize(1);
    }

    @Test
    void aRivalsFreshRowCostsOneRepeat() throws Exception {
        Scope scope = freshScope();
        Stores stores = committing.in(scope);
        stores.idempotencyKeys().find("warm");
        try (var rival = TestDatabase.get().connect();
                var statement = rival.createStatement()) {
            rival.setAutoCommit(false);
            statement.execute(
                    "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status)"
                            + " values ('" + scope.id() + "', 'k', 1, 'req-2', 'wf-2', 'reserved')");
            proxy.reset();
            var waiting = Background.run(() -> stores.idempotencyKeys().reserve("k", "req-1", "wf-1", KeepFor.DEFAULT));
            Background.awaitBlocked(rival);
            rival.commit();
            assertThat(waiting.get()).isInstanceOf(Reservation.Conflict.class);
        }
        assertThat(proxy.roundTrips()).isEqualTo(2);
        assertThat(proxy.statements()).hasSize(2).noneMatch(RoundTripsTest::isOverhead);
    }

    @Test
    void atomicallyPaysOneCommitForAllItDoes() {
        Worker worker = new Worker(committing.in(freshScope()), "wf");
        worker.acquired("warm");
        List<String> sent = sent(() -> committing.atomically(bound -> {
            Worker inside = new Worker(bound.in(worker.stores().scope()), "wf");
            Workflow read = inside.created();
            return inside.stores().workflows().update(read, queued(read));
        }));
        assertThat(sent).startsWith("BEGIN").endsWith("COMMIT").hasSize(4);
        assertThat(proxy.roundTrips()).isEqualTo(3);
    }

    /** Workflows and keys one each; leases in a transaction: the floor is locked, the rows removed, the commit. */
    @Test
    void aPassOfCleanUpIsFiveRoundTrips() {
        Worker worker = new Worker(committing.in(freshScope()), "wf");
        Workflow read = worker.created();
        worker.stores().workflows().update(read, closed(read));
        worker.stores().leases().release(worker.lease(), worker.acquired("a"));
        List<String> sent =
                sent(() -> assertThat(worker.stores().cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)))
                        .isEqualTo(new Removed(1, 0, 1)));
        assertThat(sent).hasSize(6).filteredOn(RoundTripsTest::isOverhead).containsExactly("BEGIN", "COMMIT");
        assertThat(proxy.roundTrips()).isEqualTo(5);
    }

    private static List<String> sent(Holdfast holdfast, Operations.Case operation) {
        Worker worker = new Worker(holdfast.in(Scope.of("round-trips")), "wf-" + NUMBER.incrementAndGet());
        Worker warm = new Worker(worker.stores(), "warm");
        warm.acquired("warm"); // the scope has its floor
        Supplier<?> prepared = operation.prepare().apply(worker);
        return sent(() -> assertThat(prepared.get()).isInstanceOf(operation.answer()));
    }

    private static List<String> sent(Runnable measured) {
        proxy.reset();
        measured.run();
        return proxy.statements();
    }

    private static Scope freshScope() {
        return Scope.of("round-trips-" + NUMBER.incrementAndGet());
    }

    /** Whatever is not a statement of ours: transactions, settings, and the pool's own questions. */
    private static boolean isOverhead(String sql) {
        return !sql.startsWith("with ")
                && !sql.startsWith("select ")
                && !sql.startsWith("update ")
                && !sql.startsWith("insert ");
    }
}
