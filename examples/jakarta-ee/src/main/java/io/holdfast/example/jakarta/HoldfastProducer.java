package io.holdfast.example.jakarta;

import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.LeaseKeeperSettings;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.jspecify.annotations.Nullable;

// snippet: producer
/** The application's two facades, and what keeps its leases. */
@ApplicationScoped
@SuppressWarnings("NullAway.Init") // the server fills the fields
public class HoldfastProducer {

    @Resource
    private ManagedThreadFactory threads;

    private volatile @Nullable LeaseKeeper keeper;

    /** For business transactions: takes part in the caller's. */
    @Produces
    @Singleton
    Holdfast joining(EntityManager entityManager) {
        return Holdfast.joining(entityManager);
    }

    /** For heartbeats, and whatever must stay when the business transaction does not. */
    @Produces
    @Singleton
    @CommitsAlone
    Holdfast alone(EntityManagerFactory factory) {
        return Holdfast.jta(factory);
    }

    @Produces
    @Singleton
    LeaseKeeper keeper(@CommitsAlone Holdfast alone) {
        keeper = LeaseKeeper.over(alone, LeaseKeeperSettings.DEFAULT.withThreads(threads));
        return keeper;
    }

    /** Also where nobody has asked for the keeper yet. */
    public boolean isRenewing() {
        LeaseKeeper made = keeper;
        return made == null || made.isOpen();
    }

    void close(@Disposes LeaseKeeper keeper) {
        keeper.close();
    }

    void close(@Disposes @CommitsAlone Holdfast alone) {
        alone.close();
    }
}
// end
