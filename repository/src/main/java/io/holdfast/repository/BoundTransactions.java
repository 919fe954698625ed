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
            throw failure != null
                    ? failure
                    : new TransactionLostException(
                            "transaction: a part of it failed, so none of it was written",
                            Map.of("operation", "transaction"));
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
            if (failure == null && isLost()) {
                failure = classified;
            }
            throw classified;
        }
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        requireOwnThread("transaction");
        try {
            return code.apply(this);
        } catch (RuntimeException | Error e) {
            if (!ended) {
                driver().markRollbackOnly(); // all or nothing, whoever catches this
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
