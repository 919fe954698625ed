package io.holdfast.repository;

import static io.holdfast.repository.JtaScene.TRANSACTIONS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What JTA costs on the wire, and that nothing is left on the pool's only connection. */
class JtaRoundTripsTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static ServerProxy proxy;
    private static JtaScene local;
    private static JtaScene xa;
    private static Holdfast overLocal;
    private static Holdfast overXa;

    @BeforeAll
    static void open() {
        proxy = ServerProxy.to(TestDatabase.get());
        local = JtaScene.over(JtaUnit.pool(JtaUnit.Resource.LOCAL, proxy.url(), 1));
        xa = JtaScene.over(JtaUnit.pool(JtaUnit.Resource.XA, proxy.url(), 1));
        overLocal = local.jta();
        overXa = xa.jta();
    }

    @AfterAll
    static void close() {
        local.close();
        xa.close();
        proxy.close();
    }

    @AfterEach
    void tidy() throws Exception {
        JtaScene.tidy();
    }

    static Stream<Arguments> operations() {
        return Stream.of(JtaUnit.Resource.values())
                .flatMap(kind -> Operations.all().map(operation -> Arguments.of(kind, operation)));
    }

    private static List<String> sent(Runnable measured) {
        proxy.reset();
        measured.run();
        return proxy.statements();
    }

    private static String settings(JtaScene scene) throws Exception {
        try (Connection connection = scene.pool.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "select string_agg(name || '=' || setting, E'\\n' order by name) from pg_settings"
                                + " where name not like 'plpgsql.%'")) {
            assertThat(connection.getAutoCommit()).isTrue();
            row.next();
            return row.getString(1);
        }
    }

    /**
     * Its commit, as {@code BEGIN} travels with the first statement. In two phases the driver sends that by itself: two more.
     */
    @ParameterizedTest
    @MethodSource("operations")
    void aTransactionOfItsOwnAddsItsCommitAndLeavesNothingBehind(JtaUnit.Resource kind, Operations.Case operation)
            throws Exception {
        JtaScene scene = kind == JtaUnit.Resource.LOCAL ? local : xa;
        Holdfast holdfast = kind == JtaUnit.Resource.LOCAL ? overLocal : overXa;
        scene.worker(holdfast, "warm").acquired("a"); // the scope has its floor
        Supplier<?> prepared = operation.prepare().apply(scene.worker(holdfast, "wf-" + NUMBER.incrementAndGet()));
        String before = settings(scene);
        List<String> sent = sent(() -> assertThat(prepared.get()).isInstanceOf(operation.answer()));
        assertThat(proxy.roundTrips())
                .as("round trips: %s", sent)
                .isEqualTo(operation.statements() + (scene == local ? 1 : 2));
        assertThat(sent).startsWith("BEGIN").endsWith("COMMIT").hasSize(operation.statements() + 2);
        assertThat(settings(scene)).isEqualTo(before).contains("lock_timeout=0");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void inTheCallersTransactionAnOperationIsItsStatementsAndNothingElse(Operations.Case operation) throws Exception {
        local.worker(overLocal, "warm").acquired("a");
        Supplier<?> prepared;
        try (EntityManager manager = local.unit.createEntityManager()) {
            TRANSACTIONS.begin();
            Worker worker = local.worker(Holdfast.joining(manager), "wf-" + NUMBER.incrementAndGet());
            worker.stores().idempotencyKeys().find("begun");
            prepared = operation.prepare().apply(worker);
            List<String> sent = sent(() -> assertThat(prepared.get()).isInstanceOf(operation.answer()));
            assertThat(proxy.roundTrips()).as("round trips: %s", sent).isEqualTo(operation.statements());
            assertThat(sent).hasSize(operation.statements());
            TRANSACTIONS.commit();
        }
    }
}
