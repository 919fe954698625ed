package io.holdfast.repository;

import static org.awaitility.Awaitility.await;

import io.agroal.api.AgroalDataSource;
import io.holdfast.Scope;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import java.time.Duration;
import java.util.UUID;

/** A JTA unit with a facade of each kind, and a scope that is its own. */
final class JtaScene implements AutoCloseable {

    static final TransactionManager TRANSACTIONS = JtaUnit.transactions();

    final TestDatabase database;
    final AgroalDataSource pool;
    final EntityManagerFactory unit;
    final Scope scope = Scope.of("jta-" + UUID.randomUUID());

    private JtaScene(TestDatabase database, AgroalDataSource pool) {
        this.database = database;
        this.pool = pool;
        this.unit = JtaUnit.over(pool);
    }

    static JtaScene over(JtaUnit.Resource resource, int size) {
        return over(resource, TestDatabase.get(), size);
    }

    static JtaScene over(JtaUnit.Resource resource, TestDatabase database, int size) {
        return new JtaScene(database, JtaUnit.pool(resource, database.url(), size));
    }

    static JtaScene over(AgroalDataSource pool) {
        return new JtaScene(TestDatabase.get(), pool);
    }

    Holdfast jta() {
        return Holdfast.jta(unit);
    }

    Worker worker(Holdfast holdfast, String id) {
        return new Worker(holdfast.in(scope), id);
    }

    /** Asked past everything: what is committed. */
    String workflows() {
        return database.value(
                "select coalesce(string_agg(id, ' ' order by id), '') from holdfast.workflow where scope = '"
                        + scope.id() + "'");
    }

    /** The transaction manager looks for what is late by itself, every now and then. */
    static void awaitTimeout() {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .pollInSameThread()
                .until(() -> TRANSACTIONS.getStatus() != Status.STATUS_ACTIVE);
    }

    /** Ends whatever transaction a test has left on its thread, and the timeout that it set. */
    static void tidy() throws Exception {
        TRANSACTIONS.setTransactionTimeout(0);
        if (TRANSACTIONS.getTransaction() != null) {
            TRANSACTIONS.rollback();
        }
    }

    @Override
    public void close() {
        unit.close();
        pool.close();
    }
}
