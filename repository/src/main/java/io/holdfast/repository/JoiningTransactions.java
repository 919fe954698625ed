package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.failure.SqlStates;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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
    private final CallersTransaction transaction;
    private final Tables tables;
    private final Duration patience;

    JoiningTransactions(EntityManager entityManager, Tables tables, Duration patience) {
        this.entityManager = entityManager;
        this.transaction = CallersTransaction.of(entityManager);
        this.tables = tables;
        this.patience = patience;
    }

    @Override
    public <R> R single(String operation, Effect effect, Function<Statements, R> work) {
        return whole(operation, work);
    }

    @Override
    public <R> R whole(String operation, Function<Statements, R> work) {
        R result;
        try {
            transaction.require(operation);
            Session session = entityManager.unwrap(Session.class);
            result = session.doReturningWork(connection -> {
                requireTransaction(operation, connection);
                try (StatelessSession ours = over(session, connection)) {
                    return work.apply(new Statements(ours, tables, null));
                }
            });
        } catch (HoldfastException e) {
            throw e;
        } catch (RuntimeException e) {
            throw transaction.failed(operation, SqlStates.classify(operation, e));
        }
        transaction.requireStill(operation);
        return result;
    }

    @Override
    public boolean isCallers() {
        return true;
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        transaction.require("transaction");
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

    /** A data source that does not know of the transaction would have each statement commit by itself. */
    private static void requireTransaction(String operation, Connection connection) throws SQLException {
        if (connection.getAutoCommit() && !Isolation.isInTransaction(connection)) {
            throw CallersTransaction.none(
                    operation, "the unit's data source takes no part in it, and each statement would commit by itself");
        }
    }
}
