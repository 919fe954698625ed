package io.holdfast.repository;

import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.SqlStates;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.hibernate.CacheMode;
import org.hibernate.Session;
import org.hibernate.StatelessSession;

/**
 * The caller's transaction, joined over the connection of its {@code EntityManager}: the way that takes part everywhere,
 * also in Spring, where a session opened from the factory does not. The caller's persistence context is neither flushed nor
 * cleared.
 */
final class JoiningTransactions implements Transactions {

    private final EntityManager entityManager;
    private final Tables tables;
    private final Duration patience;

    JoiningTransactions(EntityManager entityManager, Tables tables, Duration patience) {
        this.entityManager = entityManager;
        this.tables = tables;
        this.patience = patience;
    }

    @Override
    public <R> R single(String operation, Effect effect, Function<Statements, R> work) {
        return whole(operation, work);
    }

    @Override
    public <R> R whole(String operation, Function<Statements, R> work) {
        requireTransaction(operation);
        try {
            Session session = entityManager.unwrap(Session.class);
            return session.doReturningWork(connection -> {
                try (StatelessSession ours = over(session, connection)) {
                    return work.apply(new Statements(ours, tables, null));
                }
            });
        } catch (RuntimeException e) {
            throw SqlStates.classify(operation, e);
        }
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        requireTransaction("transaction");
        return code.apply(this);
    }

    private StatelessSession over(Session session, Connection connection) {
        StatelessSession ours = session.getSessionFactory()
                .withStatelessOptions()
                .connection(connection)
                .tenantIdentifier(session.getTenantIdentifierValue())
                .openStatelessSession();
        ours.setCacheMode(CacheMode.IGNORE);
        Timeouts.bound(ours, patience);
        return ours;
    }

    private void requireTransaction(String operation) {
        if (!entityManager.isJoinedToTransaction()) {
            throw new NoTransactionException(
                    operation
                            + ": takes part in the caller's transaction, and none is active: begin one, or use a facade that"
                            + " begins its own (Holdfast.open, Holdfast.over)",
                    Map.of("operation", operation));
        }
    }
}
