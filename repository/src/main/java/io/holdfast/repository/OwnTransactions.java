package io.holdfast.repository;

import io.holdfast.failure.SqlStates;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.CacheMode;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;

/** Transactions that Holdfast begins and commits itself, over the connections of a factory that is not JTA's. */
final class OwnTransactions implements Transactions {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private final SessionFactory factory;
    private final Tables tables;
    private final Duration patience;
    private final boolean readCommitted;
    private volatile boolean closed;

    /** @param readCommitted whether that is the isolation a transaction has by default here; if not, each is told */
    OwnTransactions(SessionFactory factory, Tables tables, Duration patience, boolean readCommitted) {
        this.factory = factory;
        this.tables = tables;
        this.patience = patience;
        this.readCommitted = readCommitted;
    }

    /** Nothing begins any more; what has begun may end. */
    void close() {
        closed = true;
    }

    @Override
    public <R> R single(String operation, Effect effect, Function<Statements, R> work) {
        return Repeats.whileLost(() -> in(operation, session -> {
            if (readCommitted && commitsByItself(operation, session)) {
                return run(operation, effect == Effect.WRITE, session, work);
            }
            return committed(operation, effect, session, () -> run(operation, false, session, work));
        }));
    }

    @Override
    public <R> R whole(String operation, Function<Statements, R> work) {
        return Repeats.whileLost(() -> in(
                operation,
                session -> committed(operation, Effect.WRITE, session, () -> run(operation, false, session, work))));
    }

    @Override
    public boolean isCallers() {
        return false;
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        return in("transaction", session -> {
            BoundTransactions bound = new BoundTransactions(statements(session), patience);
            try {
                return committed("transaction", Effect.WRITE, session, () -> {
                    R result = code.apply(bound);
                    bound.requireIntact();
                    return result;
                });
            } finally {
                bound.end();
            }
        });
    }

    private <R> R run(String operation, boolean answerDue, StatelessSession session, Function<Statements, R> work) {
        try {
            return work.apply(statements(session));
        } catch (RuntimeException e) {
            throw SqlStates.classify(operation, e, answerDue);
        }
    }

    private Statements statements(StatelessSession session) {
        return new Statements(session, tables, Statements.milliseconds(patience));
    }

    private <R> R in(String operation, Function<StatelessSession, R> work) {
        StatelessSession session = open(operation);
        try {
            return work.apply(session);
        } finally {
            close(session);
        }
    }

    private StatelessSession open(String operation) {
        if (closed) {
            throw Holdfast.isClosed();
        }
        try {
            StatelessSession session = factory.openStatelessSession();
            session.setCacheMode(CacheMode.IGNORE);
            Timeouts.bound(session, patience);
            return session;
        } catch (RuntimeException e) {
            throw SqlStates.classify(operation, e);
        }
    }

    /** Asked, never assumed: on a pool with autoCommit=false a lone write would vanish when the session closes. */
    private static boolean commitsByItself(String operation, StatelessSession session) {
        try {
            return session.doReturningWork(Connection::getAutoCommit);
        } catch (RuntimeException e) {
            throw SqlStates.classify(operation, e);
        }
    }

    private <R> R committed(String operation, Effect effect, StatelessSession session, Supplier<R> work) {
        Transaction transaction = begin(operation, session);
        R result;
        try {
            result = work.get();
        } catch (Throwable e) {
            rollBack(transaction);
            throw e;
        }
        try {
            transaction.commit();
            return result;
        } catch (RuntimeException e) {
            rollBack(transaction);
            throw SqlStates.classify(operation, e, effect == Effect.WRITE);
        }
    }

    private Transaction begin(String operation, StatelessSession session) {
        try {
            Transaction transaction = session.beginTransaction();
            if (!readCommitted) {
                session.doWork(Isolation::beReadCommitted);
            }
            return transaction;
        } catch (RuntimeException e) {
            throw SqlStates.classify(operation, e);
        }
    }

    /** What made it roll back is what the caller has to hear, not that the connection is gone as well. */
    private static void rollBack(Transaction transaction) {
        try {
            if (transaction.isActive() || transaction.getRollbackOnly()) {
                transaction.rollback();
            }
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "Rollback failed: {0}",
                    e.getClass().getName());
        }
    }

    /** The answer is known by now; that a connection could not be given back does not change it. */
    static void close(StatelessSession session) {
        try {
            session.close();
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "Closing a session failed: {0}",
                    e.getClass().getName());
        }
    }
}
