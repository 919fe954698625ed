package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.failure.SqlStates;
import java.time.Duration;
import java.util.function.Function;
import org.hibernate.CacheMode;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;

/** JTA transactions that Holdfast begins and commits itself, beside the caller's. */
final class JtaTransactions implements Transactions {

    private final SessionFactory factory;
    private final RequiresNew transaction;
    private final Tables tables;
    private final Duration patience;
    private final boolean readCommitted;
    private volatile boolean closed;

    /** @param readCommitted whether that is the isolation a transaction has by default here; if not, each is told */
    JtaTransactions(
            SessionFactory factory, RequiresNew transaction, Tables tables, Duration patience, boolean readCommitted) {
        this.factory = factory;
        this.transaction = transaction;
        this.tables = tables;
        this.patience = patience;
        this.readCommitted = readCommitted;
    }

    /** Nothing begins any more; what has begun may end. */
    void close() {
        closed = true;
    }

    /** Also a lone statement gets a transaction: what a server does with a connection that has none is the server's affair. */
    @Override
    public <R> R single(String operation, Effect effect, Function<Statements, R> work) {
        return Repeats.whileLost(() -> in(operation, effect, session -> run(operation, session, work)));
    }

    @Override
    public <R> R whole(String operation, Function<Statements, R> work) {
        return single(operation, Effect.WRITE, work);
    }

    @Override
    public boolean isCallers() {
        return false;
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        return in("transaction", Effect.WRITE, session -> {
            BoundTransactions bound = new BoundTransactions(statements(session), patience);
            try {
                R result = code.apply(bound);
                bound.requireIntact();
                return result;
            } finally {
                bound.end();
            }
        });
    }

    private <R> R run(String operation, StatelessSession session, Function<Statements, R> work) {
        try {
            return work.apply(statements(session));
        } catch (HoldfastException e) {
            throw e;
        } catch (RuntimeException e) {
            throw transaction.explained(operation, SqlStates.classify(operation, e));
        }
    }

    private Statements statements(StatelessSession session) {
        return new Statements(session, tables, Statements.milliseconds(patience));
    }

    private <R> R in(String operation, Effect effect, Function<StatelessSession, R> work) {
        if (closed) {
            throw Holdfast.isClosed();
        }
        return transaction.run(operation, effect, () -> {
            StatelessSession session = open(operation);
            try {
                prepare(operation, session);
                return work.apply(session);
            } finally {
                OwnTransactions.close(session); // before the commit: it gives the connection back
            }
        });
    }

    /** In the transaction, so that it joins it. */
    private StatelessSession open(String operation) {
        try {
            return factory.openStatelessSession();
        } catch (RuntimeException e) {
            throw SqlStates.classify(operation, e);
        }
    }

    private void prepare(String operation, StatelessSession session) {
        try {
            session.setCacheMode(CacheMode.IGNORE);
            Timeouts.bound(session, patience);
            if (!readCommitted) {
                session.doWork(Isolation::beReadCommitted);
            }
        } catch (RuntimeException e) {
            throw SqlStates.classify(operation, e);
        }
    }
}
