package io.holdfast.repository;

import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.SqlStates;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** One transaction that somebody else began and will end: that of {@code atomically}. For one thread at a time. */
final class BoundTransactions implements Transactions {

    private final Statements statements;
    private final Duration patience;
    private volatile boolean ended;

    BoundTransactions(Statements statements, Duration patience) {
        this.statements = statements;
        this.patience = patience;
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
            throw SqlStates.classify(operation, e);
        }
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        return code.apply(this);
    }
}
