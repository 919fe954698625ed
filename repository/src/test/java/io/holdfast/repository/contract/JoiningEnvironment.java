package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.JtaUnit;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cache.spi.CacheImplementor;
import org.hibernate.stat.Statistics;

/**
 * Calls in a caller's transaction, each in one of its own. The caller has changed an entity and not flushed it yet; after each
 * call it is looked at whether that change still waits, and whether the caller can go on and commit.
 */
final class JoiningEnvironment extends Environment {

    /** What is thrown without the server having refused anything: the transaction is as good as before. */
    private static final Set<HoldfastException.Code> HARMLESS = EnumSet.of(
            HoldfastException.Code.INVALID_INPUT,
            HoldfastException.Code.UNSUPPORTED_SCHEMA_VERSION,
            HoldfastException.Code.CORRUPT_RECORD,
            HoldfastException.Code.TOKENS_EXHAUSTED);

    /** The caller's, whoever's they are. */
    private interface Transaction {
        void begin() throws Exception;

        void commit() throws Exception;

        void rollbackIfActive() throws Exception;
    }

    private final long id;
    private final SessionFactory factory;
    private final EntityManager entityManager;
    private final Holdfast holdfast;
    private final Transaction transaction;
    private int turn;

    private JoiningEnvironment(
            long id, EntityManagerFactory unit, EntityManager entityManager, Transaction transaction) {
        super(TestDatabase.SCHEMA);
        this.id = id;
        this.factory = unit.unwrap(SessionFactory.class);
        this.entityManager = entityManager;
        this.transaction = transaction;
        holdfast = Holdfast.joining(entityManager);
        database().execute("insert into host.note values (" + id + ", '', '', 'as it was')");
    }

    static Environment get() {
        return once("joining", () -> {
            EntityManager entityManager = HostUnit.get().createEntityManager();
            return new JoiningEnvironment(-1, HostUnit.get(), entityManager, new OfTheEntityManager(entityManager));
        });
    }

    /** As in a server: what the facade has is a proxy, which stands for an {@code EntityManager} of each transaction. */
    static Environment inJta() {
        return once("joining in JTA", () -> {
            EntityManager proxy = ContainerManaged.of(HostUnit.jta());
            return new JoiningEnvironment(-2, HostUnit.jta(), proxy, new OfTheContainer());
        });
    }

    EntityManager entityManager() {
        return entityManager;
    }

    @Override
    Holdfast holdfast() {
        return holdfast;
    }

    @Override
    <R> R perform(Supplier<R> call) {
        try {
            return inTransaction(call);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private <R> R inTransaction(Supplier<R> call) throws Exception {
        transaction.begin();
        try {
            Note pending = entityManager.find(Note.class, id);
            String stored = pending.text();
            pending.rewrite("turn " + ++turn);
            R answer = undisturbed(call, pending, stored);
            transaction.commit();
            assertThat(value("select text from host.note where id = ?", id))
                    .as("the caller's own change, committed")
                    .isEqualTo("turn " + turn);
            return answer;
        } finally {
            transaction.rollbackIfActive();
        }
    }

    private <R> R undisturbed(Supplier<R> call, Note pending, String stored) {
        List<Long> statistics = statistics();
        Map<String, Map<Object, Object>> cached = cache();
        try {
            R answer = call.get();
            stillPending(pending, stored, statistics, cached);
            return answer;
        } catch (HoldfastException e) {
            if (HARMLESS.contains(e.code())) {
                stillPending(pending, stored, statistics, cached);
            }
            throw e;
        }
    }

    private void stillPending(
            Note pending, String stored, List<Long> statistics, Map<String, Map<Object, Object>> cached) {
        assertThat(statistics()).as("the host's statistics").isEqualTo(statistics);
        assertThat(cache()).as("the host's second-level cache").isEqualTo(cached);
        assertThat(entityManager.contains(pending)).as("still managed").isTrue();
        String row = entityManager.unwrap(Session.class).doReturningWork(connection -> {
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery("select text from host.note where id = " + id)) {
                rows.next();
                return rows.getString(1);
            }
        });
        assertThat(row).as("the row as the transaction sees it: not flushed").isEqualTo(stored);
        assertThat(entityManager.createNativeQuery("select 1", Integer.class).getSingleResult())
                .as("the transaction is usable")
                .isEqualTo(1);
    }

    private record OfTheEntityManager(EntityManager entityManager) implements Transaction {

        @Override
        public void begin() {
            entityManager.getTransaction().begin();
        }

        @Override
        public void commit() {
            entityManager.getTransaction().commit();
        }

        @Override
        public void rollbackIfActive() {
            EntityTransaction transaction = entityManager.getTransaction();
            if (transaction.isActive()) {
                transaction.rollback();
            }
            entityManager.clear();
        }
    }

    private record OfTheContainer() implements Transaction {

        @Override
        public void begin() throws Exception {
            JtaUnit.transactions().begin();
        }

        @Override
        public void commit() throws Exception {
            JtaUnit.transactions().commit();
        }

        @Override
        public void rollbackIfActive() throws Exception {
            if (JtaUnit.transactions().getTransaction() != null) {
                JtaUnit.transactions().rollback();
            }
        }
    }

    private List<Long> statistics() {
        Statistics s = factory.getStatistics();
        return List.of(
                s.getFlushCount(),
                s.getSecondLevelCacheHitCount(),
                s.getSecondLevelCacheMissCount(),
                s.getSecondLevelCachePutCount(),
                s.getQueryCacheHitCount(),
                s.getQueryCacheMissCount(),
                s.getQueryCachePutCount(),
                s.getUpdateTimestampsCachePutCount());
    }

    private Map<String, Map<Object, Object>> cache() {
        return ((MapCache) factory.getCache().unwrap(CacheImplementor.class).getRegionFactory()).contents();
    }
}
