package io.holdfast.example.jakarta;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

// snippet: health
/**
 * Whether leases are still renewed. Asks no database: a restart does not mend one. Nor does it make the keeper: some servers ask
 * from outside of the application, where its managed threads cannot be had.
 */
@Liveness
@Dependent
public class KeeperAlive implements HealthCheck {

    private final HoldfastProducer holdfast;

    @Inject
    KeeperAlive(HoldfastProducer holdfast) {
        this.holdfast = holdfast;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("lease-keeper")
                .status(holdfast.isRenewing())
                .build();
    }
}
// end
