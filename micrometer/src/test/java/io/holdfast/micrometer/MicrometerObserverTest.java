package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.Operation;
import io.holdfast.repository.Outcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MicrometerObserverTest {

    private static final Map<String, Set<String>> VALUES = Map.of(
            "operation",
            Arrays.stream(Operation.values()).map(Operation::label).collect(Collectors.toSet()),
            "outcome",
            Arrays.stream(Outcome.values()).map(Outcome::label).collect(Collectors.toSet()),
            "cause",
            Arrays.stream(KeptLease.End.values()).map(Meters::value).collect(Collectors.toSet()));

    @Test
    void operationsAreTimedByOutcome() {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Scene scene = new Scene(MicrometerObserver.of(meters))) {
            scene.work();
        }
        assertThat(timed(meters, "lease.acquire", "granted")).isOne();
        assertThat(timed(meters, "lease.acquire", "busy")).isOne();
        assertThat(timed(meters, "workflow.updateFenced", "fenced")).isOne();
        assertThat(timed(meters, "workflow.update", "done")).isOne();
        assertThat(timed(meters, "transaction", "done")).isOne();
        // The first lease of a scope: asked without a floor, the floor made, asked again.
        assertThat(meters.get("holdfast.operation.retries")
                        .tag("operation", "lease.acquire")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(meters.get("holdfast.pool.wait").timer().count()).isPositive();
    }

    @Test
    void leasesAreGauged() throws InterruptedException {
        MeterRegistry meters = new SimpleMeterRegistry();
        MicrometerObserver observer = MicrometerObserver.of(meters);
        assertThat(gauged(meters, "holdfast.leases.next.loss")).isNaN();
        try (Scene scene = new Scene(observer)) {
            scene.kept("one");
            KeptLease lost = scene.kept("two");
            assertThat(gauged(meters, "holdfast.leases.held")).isEqualTo(2);
            assertThat(gauged(meters, "holdfast.leases.next.loss")).isBetween(20.0, 30.0);
            assertThat(gauged(meters, "holdfast.leases.renewal.lag")).isBetween(0.0, 10.0);
            scene.lose(lost);
            assertThat(gauged(meters, "holdfast.leases.held")).isEqualTo(1);
            // The worker is told first.
            await().until(() -> meters.get("holdfast.leases.lost")
                            .tag("cause", "lost")
                            .counter()
                            .count()
                    == 1);
            await().until(() -> timed(meters, "lease.renewAll", "renewed") > 0);
        }
        assertThat(gauged(meters, "holdfast.leases.held")).isZero();
    }

    @Test
    void eachOperationIsAnObservationInThatOfItsCaller() {
        MeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        observations.observationConfig().observationHandler(remembering(stopped));
        try (Scene scene = new Scene(MicrometerObserver.of(observations, meters))) {
            Observation request = Observation.start("request", observations);
            try (Observation.Scope open = request.openScope()) {
                scene.holdfast.atomically(
                        bound -> bound.in(scene.scope).workflows().find("wf"));
                assertThat(observations.getCurrentObservation()).isSameAs(request);
            }
            request.stop();
        }
        assertThat(stopped)
                .extracting(Observation.Context::getContextualName)
                .startsWith("holdfast workflow.find", "holdfast transaction");
        Observation.Context find = stopped.get(0);
        Observation.Context transaction = stopped.get(1);
        assertThat(parent(find)).isSameAs(transaction);
        assertThat(parent(transaction).getName()).isEqualTo("request");
        assertThat(timed(meters, "workflow.find", "not_found")).isOne();
    }

    @Test
    void noMeterCarriesAnIdOrMoreTagsThanItsEnumsHave() throws InterruptedException {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
        observations.observationConfig().observationHandler(remembering(stopped));
        for (MicrometerObserver observer : List.of(
                MicrometerObserver.of(new SimpleMeterRegistry()), MicrometerObserver.of(observations, meters))) {
            try (Scene scene = new Scene(observer)) {
                scene.work();
                scene.lose(scene.kept("lost"));
            }
        }
        assertThat(meters.scrape()).contains("holdfast_operation_seconds_count").doesNotContain(Scene.MARK);
        assertThat(stopped)
                .isNotEmpty()
                .allSatisfy(context -> assertThat(context.getAllKeyValues() + " " + context.getName() + " "
                                + context.getContextualName() + " " + context.getError())
                        .doesNotContain(Scene.MARK));
        for (Meter meter : meters.getMeters()) {
            for (Tag tag : meter.getId().getTags()) {
                if (!tag.getKey().equals("error")) { // the handler's, for observations; always none
                    assertThat(VALUES.get(tag.getKey()))
                            .as(meter.getId().toString())
                            .contains(tag.getValue());
                }
            }
        }
    }

    @Test
    void aNullIsRefusedByName() {
        MeterRegistry meters = new SimpleMeterRegistry();
        assertThatThrownBy(() -> MicrometerObserver.of(null))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("meters");
        assertThatThrownBy(() -> MicrometerObserver.of(null, meters))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("observations");
        assertThatThrownBy(() -> MicrometerObserver.of(ObservationRegistry.create(), null))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("meters");
    }

    private static ObservationHandler<Observation.Context> remembering(List<Observation.Context> stopped) {
        return new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        };
    }

    private static Observation.ContextView parent(Observation.Context context) {
        return Objects.requireNonNull(context.getParentObservation()).getContextView();
    }

    private static long timed(MeterRegistry meters, String operation, String outcome) {
        return meters.find("holdfast.operation").tag("operation", operation).tag("outcome", outcome).timers().stream()
                .mapToLong(timer -> timer.count())
                .sum();
    }

    private static double gauged(MeterRegistry meters, String name) {
        return meters.get(name).gauge().value();
    }
}
