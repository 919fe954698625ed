package io.holdfast.example.quarkus;

import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.LeaseKeeperSettings;
import io.quarkus.hibernate.orm.PersistenceUnit;
import io.smallrye.context.api.ManagedExecutorConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.eclipse.microprofile.context.ManagedExecutor;
import org.eclipse.microprofile.context.ThreadContext;

// snippet: producer
/** The application's two facades, and what keeps its leases. */
@ApplicationScoped
public class HoldfastProducer {

    /** For business transactions: takes part in the caller's. */
    @Produces
    @Singleton
    Holdfast joining(EntityManager entityManager) {
        return Holdfast.joining(entityManager);
    }

    /** For what must stay when the business transaction does not: each call is a transaction of its own. */
    @Produces
    @Singleton
    @CommitsAlone
    Holdfast alone(EntityManagerFactory factory) {
        return Holdfast.jta(factory);
    }

    /** On connections that no request can take from it. Its threads must not live on in the transaction that made it. */
    @Produces
    @Singleton
    LeaseKeeper keeper(
            @PersistenceUnit("heartbeats") EntityManagerFactory heartbeats,
            @ManagedExecutorConfig(
                            propagated = {},
                            cleared = ThreadContext.ALL_REMAINING)
                    ManagedExecutor threads) {
        return LeaseKeeper.over(Holdfast.jta(heartbeats), LeaseKeeperSettings.DEFAULT.withExecutor(threads));
    }

    void close(@Disposes LeaseKeeper keeper) {
        keeper.close();
    }

    void close(@Disposes @CommitsAlone Holdfast alone) {
        alone.close();
    }
}
// end
