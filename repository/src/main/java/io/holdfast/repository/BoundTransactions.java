package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.SqlStates;
import io.holdfast.failure.TransactionLostException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One transaction that somebody else began and will end: that of {@code atomically}. For one thread at a time. */
final class BoundTransactions implements Transactions {

    private final Statements statements;
    private final Duration patience;
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
        return statements.session().getTransaction().getRollbackOnly();
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
        if (ended) {
            throw new NoTransactionException(
                    operation + ": the transaction this facade was bound to has ended", Map.of("operation", operation));
        }
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
        try {
            return code.apply(this);
        } catch (RuntimeException | Error e) {
            if (!ended) {
                statements.session().getTransaction().markRollbackOnly(); // all or nothing, whoever catches this
            }
            throw e;
        }
    }
}
