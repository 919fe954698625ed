package io.holdfast.example.quarkus;

import io.holdfast.repository.Holdfast;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

// snippet: health
/** Whether the database takes writes and has the right tables. Answers within three seconds. */
@Readiness
@Singleton
public class HoldfastReady implements HealthCheck {

    private final Holdfast alone;

    @Inject
    HoldfastReady(@CommitsAlone Holdfast alone) {
        this.alone = alone;
    }

    @Override
    public HealthCheckResponse call() {
        var readiness = alone.readiness();
        var answer = HealthCheckResponse.named("holdfast").status(readiness.ready());
        readiness.reason().ifPresent(reason -> answer.withData("reason", reason));
        readiness.facts().forEach(answer::withData);
        return answer.build();
    }
}
// end
