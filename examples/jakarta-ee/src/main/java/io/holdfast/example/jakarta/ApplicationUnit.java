package io.holdfast.example.jakarta;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

// snippet: application-unit
/**
 * The persistence unit where the server's own persistence is older than Hibernate 7: the application makes it, and does
 * what a container does. An {@code EntityManager} belongs to a transaction, and ends with it
 * ({@code hibernate.transaction.auto_close_session}).
 */
@ApplicationScoped
@SuppressWarnings("NullAway.Init") // the server fills the field
public class ApplicationUnit {

    @Resource
    private TransactionSynchronizationRegistry transaction;

    @Produces
    @Singleton
    EntityManagerFactory factory() {
        return Persistence.createEntityManagerFactory("orders");
    }

    void close(@Disposes EntityManagerFactory factory) {
        factory.close();
    }

    @Produces
    @Singleton
    EntityManager entityManager(EntityManagerFactory factory) {
        return (EntityManager) Proxy.newProxyInstance(
                EntityManager.class.getClassLoader(),
                new Class<?>[] {EntityManager.class},
                (proxy, method, arguments) -> call(factory, method, arguments));
    }

    private @Nullable Object call(EntityManagerFactory factory, Method method, Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("getEntityManagerFactory")) {
            return factory;
        }
        try {
            if (transaction.getTransactionKey() != null) {
                return method.invoke(ofTransaction(factory), arguments);
            }
            try (EntityManager passing = factory.createEntityManager()) {
                return method.invoke(passing, arguments);
            }
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private EntityManager ofTransaction(EntityManagerFactory factory) {
        EntityManager known = (EntityManager) transaction.getResource(this);
        if (known != null) {
            return known;
        }
        EntityManager made = factory.createEntityManager();
        transaction.putResource(this, made);
        return made;
    }
}
// end
