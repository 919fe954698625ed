package io.holdfast.example.quarkus;

import io.holdfast.repository.LeaseKeeper;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

// snippet: health
/** Whether leases are still renewed. Asks no database: a restart does not mend one. */
@Liveness
@Singleton
public class KeeperAlive implements HealthCheck {

    private final LeaseKeeper keeper;

    @Inject
    KeeperAlive(LeaseKeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("lease-keeper").status(keeper.isOpen()).build();
    }
}
// end
