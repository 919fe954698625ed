package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.failure.SqlStates;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.failure.TransactionLostException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JTA transaction of its own around some work: the caller's is suspended meanwhile and resumed afterwards, whatever has
 * happened. Its timeout is what the transaction manager gives to this thread: one of ours could not be taken back.
 */
final class RequiresNew {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private final TransactionManager manager;

    RequiresNew(TransactionManager manager) {
        this.manager = manager;
    }

    /** Runs the work and commits. What the work throws comes out as it is, and nothing of it was written. */
    <R> R run(String operation, Transactions.Effect effect, Supplier<R> work) {
        Transaction callers = suspend(operation);
        R result;
        try {
            result = committed(operation, effect, work);
        } catch (Throwable e) {
            if (!resumed(callers)) {
                LOG.log(System.Logger.Level.WARNING, "{0}: the caller''s transaction could not be resumed", operation);
            }
            throw e;
        }
        if (!resumed(callers)) {
            throw new TransactionLostException(
                    operation
                            + ": was done, but the caller's own transaction, suspended meanwhile, could not be resumed:"
                            + " repeat all of that",
                    Map.of("operation", operation));
        }
        return result;
    }

    /** What to say of a failure: that the transaction manager had ended the transaction, where that made it fail. */
    HoldfastException explained(String operation, HoldfastException error) {
        return !error.retryable() && isRolledBack(status()) ? rolledBack(operation) : error;
    }

    private <R> R committed(String operation, Transactions.Effect effect, Supplier<R> work) {
        Transaction ours = begin(operation);
        R result;
        try {
            result = work.get();
            requireActive(operation, effect, ours);
        } catch (Throwable e) {
            rollBack();
            throw e;
        }
        commit(operation, effect);
        return result;
    }

    private Transaction begin(String operation) {
        try {
            manager.begin();
            return manager.getTransaction();
        } catch (Exception e) {
            rollBack();
            throw unavailable(operation, "the transaction manager began no transaction");
        }
    }

    /** Asked before the commit, which would not say whether it was the transaction manager or the commit that failed. */
    private void requireActive(String operation, Transactions.Effect effect, Transaction ours) {
        int status = status();
        if (status == Status.STATUS_ACTIVE && isCurrent(ours)) {
            return;
        }
        if (status == Status.STATUS_MARKED_ROLLBACK || isRolledBack(status)) {
            throw rolledBack(operation);
        }
        throw unknown(operation, effect, "its transaction was ended by somebody else");
    }

    private boolean isCurrent(Transaction ours) {
        try {
            return ours.equals(manager.getTransaction());
        } catch (SystemException e) {
            return false;
        }
    }

    private void commit(String operation, Transactions.Effect effect) {
        try {
            manager.commit();
        } catch (RollbackException e) {
            // It says so too when the answer of the only resource was lost: then nobody knows.
            Throwable reason = Suppressed.sqlException(e);
            throw reason == null
                    ? rolledBack(operation)
                    : SqlStates.classify(operation, reason, effect == Transactions.Effect.WRITE);
        } catch (Exception e) {
            throw unknown(operation, effect, "the transaction manager did not say whether it was committed");
        } finally {
            rollBack();
        }
    }

    /** Whatever transaction is left on this thread by now is ours, or was left there by what we ran. */
    private void rollBack() {
        try {
            if (manager.getStatus() != Status.STATUS_NO_TRANSACTION) {
                manager.rollback();
            }
        } catch (Exception e) {
            // What made it roll back is what the caller has to hear.
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "Rollback failed: {0}",
                    e.getClass().getName());
        }
    }

    private @Nullable Transaction suspend(String operation) {
        try {
            return manager.suspend();
        } catch (SystemException e) {
            throw unavailable(operation, "the caller's transaction could not be suspended");
        }
    }

    private boolean resumed(@Nullable Transaction callers) {
        if (callers == null) {
            return true;
        }
        try {
            manager.resume(callers);
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    private static boolean isRolledBack(int status) {
        return status == Status.STATUS_ROLLING_BACK || status == Status.STATUS_ROLLEDBACK;
    }

    private int status() {
        try {
            return manager.getStatus();
        } catch (SystemException e) {
            return Status.STATUS_UNKNOWN;
        }
    }

    private static HoldfastException rolledBack(String operation) {
        return unavailable(
                operation, "the transaction manager rolled it back, at its timeout or because something asked for it");
    }

    private static HoldfastException unknown(String operation, Transactions.Effect effect, String what) {
        return effect == Transactions.Effect.READ
                ? unavailable(operation, what)
                : new OutcomeUnknownException(operation + ": " + what, Map.of("operation", operation));
    }

    private static StoreUnavailableException unavailable(String operation, String what) {
        return new StoreUnavailableException(true, operation + ": " + what, Map.of("operation", operation));
    }
}
