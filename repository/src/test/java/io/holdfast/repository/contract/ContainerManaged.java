package io.holdfast.repository.contract;

import io.holdfast.repository.JtaUnit;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a container injects: a proxy for the {@code EntityManager} of the thread's transaction, made when it is first used
 * there and closed when the transaction ends; without a transaction, for one that is closed after the call.
 */
final class ContainerManaged {

    private final EntityManagerFactory unit;
    private final Map<Transaction, EntityManager> open = new ConcurrentHashMap<>();

    private ContainerManaged(EntityManagerFactory unit) {
        this.unit = unit;
    }

    static EntityManager of(EntityManagerFactory unit) {
        ContainerManaged managed = new ContainerManaged(unit);
        return (EntityManager) Proxy.newProxyInstance(
                EntityManager.class.getClassLoader(),
                new Class<?>[] {EntityManager.class},
                (proxy, method, arguments) -> managed.invoke(method, arguments));
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("getEntityManagerFactory")) {
            return unit;
        }
        Transaction transaction = JtaUnit.transactions().getTransaction();
        if (transaction == null) {
            try (EntityManager fleeting = unit.createEntityManager()) {
                return invoke(fleeting, method, arguments);
            }
        }
        return invoke(open.computeIfAbsent(transaction, this::begin), method, arguments);
    }

    private static Object invoke(EntityManager target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private EntityManager begin(Transaction transaction) {
        EntityManager made = unit.createEntityManager();
        try {
            if (transaction.getStatus() == Status.STATUS_ACTIVE) {
                transaction.registerSynchronization(new Ending(transaction));
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return made;
    }

    private final class Ending implements Synchronization {

        private final Transaction transaction;

        private Ending(Transaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int status) {
            open.remove(transaction).close();
        }
    }
}
