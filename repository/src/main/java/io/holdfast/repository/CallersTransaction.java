package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.TransactionLostException;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatform;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.jspecify.annotations.Nullable;

/** The transaction that an {@code EntityManager} is joined to, and for JTA what became of it meanwhile. */
final class CallersTransaction {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private final EntityManager entityManager;
    private final @Nullable JtaPlatform jta;

    private CallersTransaction(EntityManager entityManager, @Nullable JtaPlatform jta) {
        this.entityManager = entityManager;
        this.jta = jta;
    }

    static CallersTransaction of(EntityManager entityManager) {
        SessionFactoryImplementor factory =
                entityManager.getEntityManagerFactory().unwrap(SessionFactoryImplementor.class);
        return new CallersTransaction(entityManager, Jta.isOf(factory) ? Jta.platform(factory) : null);
    }

    /** @throws HoldfastException if there is none, or none that can still be committed */
    void require(String operation) {
        if (jta != null) {
            requireCommittable(operation, jta);
            if (!entityManager.isJoinedToTransaction()) {
                join();
            }
        }
        if (!isJoined()) {
            throw none(
                    operation,
                    jta == null
                            ? "begin one, or use a facade that begins its own (Holdfast.open, Holdfast.over)"
                            : "this EntityManager has not joined the JTA transaction there is: see joinTransaction()");
        }
    }

    /** After an operation: what it answered is nothing, if its transaction has been given up meanwhile. */
    void requireStill(String operation) {
        if (jta != null) {
            requireCommittable(operation, jta);
        }
    }

    /**
     * After an operation that the database refused: that is the end of a JTA transaction, also if the caller catches this. Its
     * commit would have PostgreSQL roll back, and not every resource says so.
     *
     * @return what to throw: that the transaction manager had ended it, where that made it fail; how it fails is up to the pool
     */
    HoldfastException failed(String operation, HoldfastException error) {
        if (jta == null) {
            return error;
        }
        int status = status(jta);
        if (status == Status.STATUS_ACTIVE) {
            markForRollback();
        }
        return isRolledBack(status) && !error.retryable() ? lost(operation) : error;
    }

    private void markForRollback() {
        try {
            coordinator().getTransactionDriverControl().markRollbackOnly();
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "Not marked for rollback: {0}",
                    e.getClass().getName());
        }
    }

    /**
     * The flag alone would not do: an {@code EntityManager} stays joined when its transaction is suspended, or has been rolled
     * back by another thread at its timeout, and then each statement would commit by itself.
     */
    private static void requireCommittable(String operation, JtaPlatform jta) {
        int status = status(jta);
        if (status == Status.STATUS_MARKED_ROLLBACK || isRolledBack(status)) {
            throw lost(operation);
        }
        if (status != Status.STATUS_ACTIVE) {
            throw none(operation, "begin one, or use a facade that begins its own (Holdfast.jta)");
        }
    }

    /** Spring's proxy for open-in-view answers for itself, and says no: its session knows of the transaction. */
    private boolean isJoined() {
        if (entityManager.isJoinedToTransaction()) {
            return true;
        }
        try {
            return entityManager.unwrap(SharedSessionContractImplementor.class).isJoinedToTransaction();
        } catch (IllegalStateException e) {
            return false; // Spring's shared proxy has no session where there is no transaction
        }
    }

    /** As Hibernate does before an operation of its own; not if the application made it unsynchronized. */
    private void join() {
        coordinator().pulse();
    }

    private TransactionCoordinator coordinator() {
        return entityManager.unwrap(SharedSessionContractImplementor.class).getTransactionCoordinator();
    }

    private static boolean isRolledBack(int status) {
        return status == Status.STATUS_ROLLING_BACK || status == Status.STATUS_ROLLEDBACK;
    }

    private static int status(JtaPlatform jta) {
        try {
            return jta.getCurrentStatus();
        } catch (SystemException e) {
            return Status.STATUS_UNKNOWN;
        }
    }

    private static HoldfastException lost(String operation) {
        return new TransactionLostException(
                operation + ": the caller's transaction is to be rolled back, or has been, at its timeout or because"
                        + " something asked for it: nothing that is done in it will stand",
                Map.of("operation", operation));
    }

    static NoTransactionException none(String operation, String advice) {
        return new NoTransactionException(
                operation + ": takes part in the caller's transaction, and none is active: " + advice,
                Map.of("operation", operation));
    }
}
