package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.SqlStates;
import io.holdfast.failure.TransactionLostException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.jspecify.annotations.Nullable;

/** One transaction that somebody else began and will end: that of {@code atomically}. For the thread that runs its code. */
final class BoundTransactions implements Transactions {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private final Statements statements;
    private final Duration patience;
    private final Thread thread = Thread.currentThread();
    private volatile boolean ended;
    private @Nullable HoldfastException failure;

    BoundTransactions(Statements statements, Duration patience) {
        this.statements = statements;
        this.patience = patience;
    }

    /**
     * An operation that failed has ended the transaction, also where the code caught what it threw. Then Hibernate's commit
     * rolls back and says nothing.
     *
     * @throws HoldfastException if so: what the operation threw
     */
    void requireIntact() {
        if (isLost()) {
            throw failure != null ? failure : lost();
        }
    }

    private static TransactionLostException lost() {
        return new TransactionLostException(
                "transaction: a part of it failed, or it took too long, so none of it was written",
                Map.of("operation", "transaction"));
    }

    /** What the database refused is the end of the transaction, unless that was over by then: what fails after it says little. */
    private HoldfastException refused(HoldfastException error) {
        giveUp(); // Hibernate does so for queries, not for an entity's update
        boolean over = driver().getStatus() != TransactionStatus.MARKED_ROLLBACK;
        return over && !error.retryable() ? lost() : error;
    }

    private void giveUp() {
        if (!isLost()) {
            try {
                driver().markRollbackOnly();
            } catch (RuntimeException e) {
                // A transaction manager has ended it in between: then it is lost as well.
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "Not marked for rollback: {0}",
                        e.getClass().getName());
            }
        }
    }

    private boolean isLost() {
        return driver().getStatus() != TransactionStatus.ACTIVE;
    }

    /** Not {@code getTransaction()}, which a JTA unit may refuse. */
    private TransactionCoordinator.TransactionDriver driver() {
        return ((SharedSessionContractImplementor) statements.session())
                .getTransactionCoordinator()
                .getTransactionDriverControl();
    }

    void end() {
        ended = true;
    }

    @Override
    public <R> R single(String operation, Effect effect, Function<Statements, R> work) {
        return whole(operation, work);
    }

    @Override
    public <R> R whole(String operation, Function<Statements, R> work) {
        requireOwnThread(operation);
        if (ended) {
            throw new NoTransactionException(
                    operation + ": the transaction this facade was bound to has ended", Map.of("operation", operation));
        }
        requireIntact();
        try {
            Timeouts.bound(statements.session(), patience); // for each operation anew, not for the transaction
            return work.apply(statements);
        } catch (RuntimeException e) {
            HoldfastException classified = SqlStates.classify(operation, e);
            HoldfastException thrown = classified == e ? classified : refused(classified);
            if (failure == null && isLost()) {
                failure = thrown;
            }
            throw thrown;
        }
    }

    @Override
    public boolean isCallers() {
        return true;
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        requireOwnThread("transaction");
        try {
            return code.apply(this);
        } catch (RuntimeException | Error e) {
            if (!ended) {
                giveUp(); // all or nothing, whoever catches this
            }
            throw e;
        }
    }

    /** Before the session is touched, which is for one thread: an operation of another would be mixed into this one's. */
    private void requireOwnThread(String operation) {
        if (Thread.currentThread() != thread) {
            throw new NoTransactionException(
                    operation + ": this facade is bound to a transaction of another thread",
                    Map.of("operation", operation));
        }
    }
}
