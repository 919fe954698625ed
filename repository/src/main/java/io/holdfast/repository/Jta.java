package io.holdfast.repository;

import io.holdfast.failure.InvalidValueException;
import jakarta.transaction.TransactionManager;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatform;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;

/** What Hibernate knows of JTA in a persistence unit. */
final class Jta {

    private Jta() {}

    static boolean isOf(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry()
                .requireService(TransactionCoordinatorBuilder.class)
                .isJta();
    }

    static JtaPlatform platform(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry().requireService(JtaPlatform.class);
    }

    /** @throws InvalidValueException if the unit is not JTA's, or Hibernate does not know whose JTA it is */
    static TransactionManager manager(SessionFactoryImplementor factory) {
        if (!isOf(factory)) {
            throw new InvalidValueException(
                    "factory", "be of a unit whose transactions are JTA's; this one's are not: use Holdfast.over");
        }
        TransactionManager manager;
        try {
            manager = platform(factory).retrieveTransactionManager();
        } catch (RuntimeException e) {
            manager = null; // a platform that is not there: the wrong one is named
        }
        if (manager == null) {
            throw new InvalidValueException(
                    "factory",
                    "tell Hibernate whose transaction manager it is, by hibernate.transaction.jta.platform; it finds none");
        }
        return manager;
    }
}
