package io.holdfast.repository;

import static io.holdfast.repository.Worker.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.StoreDeniedException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.TokensExhaustedException;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can break, as what it comes out; and that the same facade works again when it is mended. */
class FailuresTest {

    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static TestDatabase database;
    private static Holdfast holdfast;

    private Worker worker;

    @BeforeAll
    static void open() {
        database = TestDatabase.migrated("failures");
        holdfast = Holdfast.open(settings());
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    private static Settings settings() {
        return Settings.of(database.url(), database.user(), database.password())
                .withPoolSize(2)
                .withCheckoutTimeout(HALF_A_SECOND);
    }

    @BeforeEach
    void start() {
        worker = new Worker(holdfast.in(Scope.of("failures")), "wf-" + NUMBER.incrementAndGet());
    }

    @AfterEach
    void theSameFacadeWorksAgain() {
        Worker next = new Worker(worker.stores(), worker.id() + "-after");
        Workflow read = next.created();
        assertThat(next.stores().workflows().update(read, queued(read))).isInstanceOf(Update.Updated.class);
        next.acquired("a");
        next.reserved();
    }

    // H27d
    @Test
    void aWriteWhoseServerProcessIsKilledWhileItWaitsHasAnUnknownOutcome() throws Exception {
        Workflow read = worker.created();
        try (RowLock lock = RowLock.onWorkflow(database, worker)) {
            var waiting = Background.run(
                    () -> Thrown.by(() -> worker.stores().workflows().update(read, queued(read))));
            lock.killWhoWaits();
            waiting.get().is(OutcomeUnknownException.class, true).with("operation", "workflow.update");
        }
        assertThat(worker.stores().workflows().find(worker.id())).contains(read);
    }

    @Test
    void aTransactionWhoseServerProcessIsKilledBeforeItsCommitHasWrittenNothing() throws Exception {
        Workflow read = worker.created();
        Worker other = new Worker(worker.stores(), worker.id() + "-other");
        try (RowLock lock = RowLock.onWorkflow(database, worker)) {
            var waiting = Background.run(() -> Thrown.by(() -> holdfast.atomically(bound -> {
                Stores inside = bound.in(worker.stores().scope());
                inside.workflows().create(other.first(), Map.of());
                return inside.workflows().update(read, queued(read));
            })));
            lock.killWhoWaits();
            waiting.get().is(StoreUnavailableException.class, true);
        }
        assertThat(other.stores().workflows().find(other.id())).isEmpty();
    }

    // G-11, H27a
    @Test
    void anExhaustedPoolIsReportedWithinTheCheckoutTimeout() throws Exception {
        CountDownLatch held = new CountDownLatch(2);
        CountDownLatch done = new CountDownLatch(1);
        Runnable holder = () -> holdfast.atomically(bound -> {
            bound.in(Scope.UNSCOPED).workflows().find("any");
            held.countDown();
            return await(done);
        });
        Background<?> one = Background.run(() -> run(holder));
        Background<?> two = Background.run(() -> run(holder));
        await(held);
        Thrown thrown = Thrown.by(() -> worker.stores().workflows().find("any"))
                .is(StoreUnavailableException.class, true)
                .with("operation", "workflow.find");
        done.countDown();
        one.get();
        two.get();
        assertThat(thrown.after()).isBetween(HALF_A_SECOND, HALF_A_SECOND.multipliedBy(3));
        assertThat(thrown.exception()).hasMessage("workflow.find: the pool gave no connection in time");
    }

    // H27b
    @Test
    void aPoolThatTheHostHasClosedIsUnavailable() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        try (Holdfast over = Holdfast.open(pool)) {
            pool.close();
            Thrown.by(() -> over.in(Scope.UNSCOPED).workflows().find("any")).is(StoreUnavailableException.class, true);
        }
    }

    @Test
    void aClosedFacadeIsUnavailableForGood() {
        Holdfast closed = Holdfast.open(database.dataSource());
        Stores stores = closed.in(Scope.UNSCOPED);
        closed.close();
        Thrown.by(() -> closed.in(Scope.UNSCOPED)).is(StoreUnavailableException.class, false);
        Thrown.by(() -> stores.workflows().find("any")).is(StoreUnavailableException.class, false);
    }

    // H27c
    @Test
    void aServerThatIsNotThereIsUnavailableAndNothingOfThePoolIsLeft() {
        long before = threadsOfPools();
        Settings elsewhere = Settings.of("jdbc:postgresql://localhost:1/nowhere", "user", "password")
                .withCheckoutTimeout(HALF_A_SECOND);
        Thrown thrown = Thrown.by(() -> Holdfast.open(elsewhere)).is(StoreUnavailableException.class, true);
        assertThat(thrown.exception().getMessage()).doesNotContain("localhost", "nowhere");
        assertThat(thrown.after()).isLessThan(Duration.ofSeconds(3));
        Awaitility.await().until(() -> threadsOfPools() <= before);
    }

    private static long threadsOfPools() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast"))
                .count();
    }

    // H28
    @Test
    void aTableThatIsGoneIsNoOutage() {
        try (TestDatabase broken = TestDatabase.migrated("dropped");
                Holdfast over = Holdfast.open(broken.dataSource())) {
            broken.execute("alter table holdfast.lease rename to elsewhere");
            Stores stores = over.in(Scope.UNSCOPED);
            LeaseKey key = LeaseKey.ofWorkflow("wf");
            Thrown.by(() -> stores.leases().acquire(key, "a", Worker.TTL)).is(SchemaMismatchException.class, false);
            Thrown.by(() -> stores.leases().find(key)).is(SchemaMismatchException.class, false);
            assertThatThrownBy(() -> Holdfast.open(broken.dataSource())).isInstanceOf(SchemaMismatchException.class);
            broken.execute("alter table holdfast.elsewhere rename to lease");
            assertThat(stores.leases().find(key)).isEmpty();
        }
    }

    @Test
    void aSchemaThatIsNotThereIsNoOutage() {
        try (TestDatabase empty = TestDatabase.empty("no_schema")) {
            Thrown.by(() -> Holdfast.open(empty.dataSource())).is(SchemaMismatchException.class, false);
        }
    }

    @Test
    void aColumnThatIsGoneIsNoticedAtOpening() {
        try (TestDatabase broken = TestDatabase.migrated("column")) {
            broken.execute("alter table holdfast.workflow drop column labels");
            Thrown.by(() -> Holdfast.open(broken.dataSource())).is(SchemaMismatchException.class, false);
        }
    }

    // H28
    @Test
    void aPrivilegeThatIsMissingIsNoOutage() {
        try (TestDatabase limited = database.asRuntimeRole("holdfast");
                Holdfast over = Holdfast.open(limited.dataSource())) {
            Stores stores = over.in(worker.stores().scope());
            database.execute("revoke update on holdfast.lease from " + limited.user());
            Thrown.by(() -> stores.leases().acquire(worker.lease(), "a", Worker.TTL))
                    .is(StoreDeniedException.class, false)
                    .with("sqlstate", "42501");
            database.execute("grant update on holdfast.lease to " + limited.user());
            assertThat(stores.leases().acquire(worker.lease(), "a", Worker.TTL)).isNotNull();
        }
    }

    @Test
    void aFunctionThatMayNotBeExecutedIsAPrivilegeThatIsMissing() {
        Fence fence = worker.acquired("a");
        try (TestDatabase own = TestDatabase.migrated("execute");
                TestDatabase limited = own.asRuntimeRole("holdfast");
                Holdfast over = Holdfast.open(limited.dataSource())) {
            own.execute("revoke execute on all functions in schema holdfast from public");
            Worker denied = new Worker(over.in(worker.stores().scope()), "wf-denied");
            Thrown.by(() -> denied.stores().steps().begin(denied.step(), fence))
                    .is(StoreDeniedException.class, false)
                    .with("sqlstate", "42501");
            own.execute("grant execute on all functions in schema holdfast to " + limited.user());
            assertThat(denied.begun(denied.acquired("a"))).isNotNull();
        }
    }

    @Test
    void aFunctionThatIsGoneIsNoticedAtOpeningAndLater() {
        try (TestDatabase broken = TestDatabase.migrated("function");
                Holdfast over = Holdfast.open(broken.dataSource())) {
            Worker late = new Worker(over.in(worker.stores().scope()), "wf-late");
            Fence fence = late.acquired("a");
            broken.execute("drop function holdfast.step_begin_v1");
            Thrown.by(() -> late.stores().steps().begin(late.step(), fence))
                    .is(SchemaMismatchException.class, false)
                    .with("sqlstate", "42883");
            Thrown.by(() -> Holdfast.open(broken.dataSource())).is(SchemaMismatchException.class, false);
        }
    }

    // BL-45a
    @Test
    void aServerThatOnlyReadsIsUnavailableAndItsConnectionIsNotKept() {
        try (TestDatabase limited = database.asRuntimeRole("holdfast")) {
            String role = limited.user();
            database.execute("alter role " + role + " set default_transaction_read_only = on");
            Settings settings =
                    Settings.of(limited.url(), role, limited.password()).withPoolSize(1);
            try (Holdfast over = Holdfast.open(settings)) {
                Stores stores = over.in(worker.stores().scope());
                for (int time = 0; time < 2; time++) {
                    Thrown.by(() -> stores.workflows().create(worker.first(), Map.of()))
                            .is(StoreUnavailableException.class, true)
                            .with("sqlstate", "25006");
                }
                assertThat(stores.workflows().find(worker.id())).isEmpty();
                // As after a failover: connections that are made from now on can write, the old one never will.
                database.execute("alter role " + role + " reset default_transaction_read_only");
                Thrown.by(() -> stores.workflows().create(worker.first(), Map.of()))
                        .is(StoreUnavailableException.class, true);
                assertThat(stores.workflows().create(worker.first(), Map.of())).isInstanceOf(Creation.Created.class);
            }
        }
    }

    /** A server that has gone without a word, while the calls wait in it: no bound of the server's is heard of any more. */
    @Test
    void everyCallBehindABlackHoleEndsInItsTimeAndTheNextIsAnswered() throws Exception {
        try (ServerProxy proxy = ServerProxy.to(database);
                Holdfast over = Holdfast.open(Settings.of(proxy.url(), database.user(), database.password())
                        .withPoolSize(10)
                        .withCommandTimeout(Duration.ofSeconds(1)))) {
            List<Supplier<?>> operations = ten(over);
            List<Background<Thrown>> calls;
            try (RowLock ignored = RowLock.by(database, "lock table " + tables())) {
                proxy.reset();
                calls = operations.stream()
                        .map(operation -> Background.run(() -> Thrown.by(operation::get)))
                        .toList();
                Awaitility.await().until(() -> proxy.statements().size() >= calls.size());
                proxy.blackHole();
                for (Background<Thrown> call : calls) {
                    assertEndedInItsTime(call.get());
                }
            } finally {
                proxy.resume();
            }
            assertThat(over.in(worker.stores().scope()).workflows().find("any")).isEmpty();
        }
    }

    /** Of every kind, each prepared up to the one call that is left to make. */
    private static List<Supplier<?>> ten(Holdfast over) {
        List<Operations.Case> all = Operations.all().toList();
        return IntStream.range(0, 10)
                .mapToObj(i -> all.get(i * all.size() / 10))
                .<Supplier<?>>map(operation -> operation
                        .prepare()
                        .apply(new Worker(over.in(Scope.of("hole-" + NUMBER.incrementAndGet())), "wf")))
                .toList();
    }

    private static String tables() {
        return database.value(
                "select string_agg('holdfast.' || tablename, ', ') from pg_tables where schemaname = 'holdfast'");
    }

    /** The command's second, the five of the socket behind it, and leave for a busy machine. */
    private static void assertEndedInItsTime(Thrown thrown) {
        assertThat(thrown.exception()).isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
        assertThat(thrown.exception().retryable()).isTrue();
        assertThat(thrown.after()).isLessThan(Duration.ofSeconds(9));
    }

    // H28, D-29, F-20
    @Test
    void aValueThatCannotBeIsRefusedBeforeAnythingIsSent() {
        Stores stores = worker.stores();
        String surrogate = "\ud800";
        Thrown.by(() -> stores.leases().acquire(new LeaseKey("tick", "a\u0000b"), "a", Worker.TTL))
                .is(InvalidValueException.class, false);
        Thrown.by(() -> stores.workflows().create(worker.first(), Map.of("a", surrogate)))
                .is(InvalidValueException.class, false);
        Thrown.by(() -> stores.idempotencyKeys().reserve("k" + surrogate, "r", KeepFor.DEFAULT))
                .is(InvalidValueException.class, false);
        assertThat(stores.workflows().find("wf\u0000")).isEmpty();
        worker.acquired("a");
        database.execute("update holdfast.lease set token = 9223372036854775807 where id = '" + worker.id() + "'");
        Thrown.by(() -> worker.acquired("a")).is(TokensExhaustedException.class, false);
    }

    // G-16
    @Test
    void overADataSourceThatCommitsByItselfAtomicallyIsStillAllOrNothing() {
        try (Holdfast over = Holdfast.open(database.dataSource())) {
            IllegalStateException own = new IllegalStateException("the application's");
            assertThatThrownBy(() -> over.atomically(bound -> {
                        new Worker(bound.in(worker.stores().scope()), worker.id()).created();
                        throw own;
                    }))
                    .isSameAs(own);
            assertThat(worker.stores().workflows().find(worker.id())).isEmpty();
        }
    }

    @Test
    void aConnectionThatIsKilledWhileItRestsCostsAtMostOneCall() {
        worker.created();
        database.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + database.name()
                + "' and application_name = 'holdfast'");
        int failed = 0;
        for (int call = 0; call < 5; call++) {
            try {
                assertThat(worker.stores().workflows().find(worker.id())).isPresent();
            } catch (StoreUnavailableException e) {
                assertThat(e.retryable()).isTrue();
                failed++;
            }
        }
        assertThat(failed).isLessThanOrEqualTo(2); // the pool has two, and asks those that rested longer
    }

    private static Object run(Runnable task) {
        task.run();
        return "done";
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, java.util.concurrent.TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
