package io.holdfast.example.jakarta;

import io.holdfast.repository.Holdfast;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

// snippet: health
/** Whether the database takes writes and has the right tables. Answers within three seconds. */
@Readiness
@Dependent
public class HoldfastReady implements HealthCheck {

    private final Instance<Holdfast>
            alone; // not had before it is asked: some servers make the check before the application

    @Inject
    HoldfastReady(@CommitsAlone Instance<Holdfast> alone) {
        this.alone = alone;
    }

    @Override
    public HealthCheckResponse call() {
        var readiness = alone.get().readiness();
        var answer = HealthCheckResponse.named("holdfast").status(readiness.ready());
        readiness.reason().ifPresent(reason -> answer.withData("reason", reason));
        readiness.facts().forEach(answer::withData);
        return answer.build();
    }
}
// end
