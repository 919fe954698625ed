package io.holdfast.repository.race;

import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import jakarta.persistence.EntityManager;
import java.util.concurrent.Callable;
import org.hibernate.Session;

/** An application's transaction, with our stores joining it. */
final class Caller implements AutoCloseable {

    private final EntityManager entityManager;
    private final String scope;
    final Stores stores;

    Caller(Scope scope) {
        this.scope = scope.id();
        this.entityManager = RaceUnit.FACTORY.createEntityManager();
        this.stores = Holdfast.joining(entityManager).in(scope);
        entityManager.getTransaction().begin();
    }

    Caller isolated(String level) {
        return run("set transaction isolation level " + level);
    }

    /** Runs SQL that is the application's own. */
    Caller run(String sql) {
        entityManager.unwrap(Session.class).doWork(connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute(sql.replace(":scope", "'" + scope + "'"));
            }
        });
        return this;
    }

    <T> Background<T> inBackground(Callable<T> call) {
        return Background.start(
                call,
                entityManager.unwrap(Session.class).doReturningWork(connection -> Background.backendOf(connection)));
    }

    /** Commits, and tells what all tables held then. */
    String commit() {
        String dump = entityManager.unwrap(Session.class).doReturningWork(connection -> Dump.of(connection, scope));
        entityManager.getTransaction().commit();
        return dump;
    }

    void rollback() {
        entityManager.getTransaction().rollback();
    }

    @Override
    public void close() {
        if (entityManager.getTransaction().isActive()) {
            entityManager.getTransaction().rollback();
        }
        entityManager.close();
    }
}
