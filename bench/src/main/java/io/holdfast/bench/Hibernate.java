package io.holdfast.bench;

import static org.hibernate.cfg.AvailableSettings.JAKARTA_NON_JTA_DATASOURCE;

import io.holdfast.Scope;
import io.holdfast.bench.entity.KeyRow;
import io.holdfast.bench.entity.LabelRow;
import io.holdfast.bench.entity.LeaseRow;
import io.holdfast.bench.entity.WorkflowRow;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.run.Runs;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceConfiguration;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Ordinary Hibernate: an entity manager for each call, find, setters, commit. By its usual means it keeps what Holdfast keeps,
 * but for the clock, which is the client's, and for repeats, which it takes for errors.
 */
final class Hibernate implements AutoCloseable {

    private final EntityManagerFactory factory;

    Hibernate(DataSource source) {
        factory = new PersistenceConfiguration("ordinary")
                .property(JAKARTA_NON_JTA_DATASOURCE, source)
                .managedClass(WorkflowRow.class)
                .managedClass(LabelRow.class)
                .managedClass(LeaseRow.class)
                .managedClass(KeyRow.class)
                .createEntityManagerFactory();
    }

    /** @param runs by somebody else: an event more is one insert by whatever means */
    Contender in(Scope scope, Runs runs, ExecutionJournal journal) {
        HibernateLeases leases = new HibernateLeases(this, scope);
        HibernateWorkflows workflows = new HibernateWorkflows(this, leases, scope);
        HibernateKeys keys = new HibernateKeys(this, scope);
        return new Contender(workflows, leases, keys, new HibernateSteps(this, workflows, leases, keys), runs, journal);
    }

    <R> R transaction(Function<EntityManager, R> work) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            try {
                R result = work.apply(manager);
                manager.getTransaction().commit();
                return result;
            } finally {
                if (manager.getTransaction().isActive()) {
                    manager.getTransaction().rollback();
                }
            }
        }
    }

    /** Without a transaction, as one reads. */
    <T> @Nullable T find(Class<T> type, Object key) {
        try (EntityManager manager = factory.createEntityManager()) {
            return manager.find(type, key);
        }
    }

    static <T> T locked(EntityManager manager, Class<T> type, Object key) {
        T row = manager.find(type, key, LockModeType.PESSIMISTIC_WRITE);
        if (row == null) {
            throw new IllegalStateException("No " + type.getSimpleName());
        }
        return row;
    }

    @Override
    public void close() {
        factory.close();
    }
}
