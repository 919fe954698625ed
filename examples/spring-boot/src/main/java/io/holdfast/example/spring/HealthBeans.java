package io.holdfast.example.spring;

import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Readiness;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class HealthBeans {

    // snippet: health
    /** For the readiness group: whether the database takes writes and has the right tables. Within three seconds. */
    @Bean
    HealthIndicator holdfastHealthIndicator(@Qualifier("own") Holdfast own) {
        return () -> {
            Readiness readiness = own.readiness();
            Health.Builder health = readiness.ready() ? Health.up() : Health.down();
            readiness.reason().ifPresent(reason -> health.withDetail("reason", reason));
            readiness.facts().forEach(health::withDetail);
            return health.build();
        };
    }

    /** For the liveness group: whether leases are still renewed. Asks no database: a restart does not mend one. */
    @Bean
    HealthIndicator leaseKeeperHealthIndicator(LeaseKeeper keeper) {
        return () -> (keeper.isOpen() ? Health.up() : Health.down()).build();
    }
    // end
}
