package io.holdfast.micrometer;

import io.holdfast.codec.Given;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Observer;
import io.holdfast.repository.Operation;
import io.holdfast.repository.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.TimeUnit;

/**
 * Tells Micrometer what Holdfast does. One for a process and registry, for all its facades and keepers:
 *
 * <pre>{@code
 * Observer observer = MicrometerObserver.of(meters);
 * Holdfast holdfast = Holdfast.open(settings).observed(observer);
 * LeaseKeeper keeper = LeaseKeeper.open(settings, LeaseKeeperSettings.DEFAULT.withObserver(observer));
 * }</pre>
 *
 * <p>The tags are {@code operation}, {@code outcome} and {@code cause}, each of an enum: bounded, and never an id, a scope, an
 * owner or a payload. The meters: {@code holdfast.operation} (timer), {@code holdfast.operation.retries}, {@code
 * holdfast.leases.held}, {@code holdfast.leases.renewal.lag}, {@code holdfast.leases.next.loss}, {@code holdfast.leases.lost}
 * and {@code holdfast.pool.wait} (timer).
 */
public final class MicrometerObserver implements Observer {

    private final MeterRegistry meters;
    private final Operations operations;
    private final Keepers keepers = new Keepers();
    private final Timer waits;

    private MicrometerObserver(MeterRegistry meters, Operations operations) {
        this.meters = meters;
        this.operations = operations;
        this.waits = Timer.builder(Meters.POOL_WAIT.meter())
                .description(Meters.POOL_WAIT.description())
                .register(meters);
        keepers.register(meters);
        for (KeptLease.End end : KeptLease.End.values()) {
            if (end != KeptLease.End.RELEASED) {
                losses(end); // at zero, so that the first loss is an increase
            }
        }
    }

    /** Metrics alone: each operation is a timer of this registry. */
    public static MicrometerObserver of(MeterRegistry meters) {
        return new MicrometerObserver(Given.value("meters", meters), operation -> {
            Timer.Sample sample = Timer.start(meters);
            return outcome -> sample.stop(timer(meters, operation, outcome));
        });
    }

    /**
     * Each operation is an observation: whatever handles the host has registered make metrics and spans of it, in the trace of
     * the caller, and what the driver or pool observes is inside. The other meters are of the given registry.
     */
    public static MicrometerObserver of(ObservationRegistry observations, MeterRegistry meters) {
        Given.value("observations", observations);
        return new MicrometerObserver(Given.value("meters", meters), operation -> {
            Observation observation = Observation.createNotStarted(Meters.OPERATION.meter(), observations)
                    .contextualName("holdfast " + operation.label())
                    .lowCardinalityKeyValue("operation", operation.label())
                    .start();
            Observation.Scope scope = observation.openScope();
            return outcome -> {
                scope.close();
                observation.lowCardinalityKeyValue("outcome", outcome.label()).stop();
            };
        });
    }

    /** How an operation is measured: by a meter, or by an observation. */
    private interface Operations {
        Measured begin(Operation operation);
    }

    private interface Measured {
        void end(Outcome outcome);
    }

    @Override
    public Call begins(Operation operation) {
        Measured measured = operations.begin(operation);
        return (outcome, attempts) -> {
            measured.end(outcome);
            if (attempts > 1) {
                counter(Meters.RETRIES, "operation", operation.label()).increment(attempts - 1);
            }
        };
    }

    @Override
    public void keeps(LeaseKeeper keeper) {
        keepers.add(keeper);
    }

    @Override
    public void lost(KeptLease.End end) {
        losses(end).increment();
    }

    @Override
    public void waited(long nanos) {
        waits.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Counter losses(KeptLease.End end) {
        return counter(Meters.LOST, "cause", Meters.value(end));
    }

    private Counter counter(Meters meter, String tag, String value) {
        return Counter.builder(meter.meter())
                .description(meter.description())
                .tag(tag, value)
                .register(meters);
    }

    private static Timer timer(MeterRegistry meters, Operation operation, Outcome outcome) {
        return Timer.builder(Meters.OPERATION.meter())
                .description(Meters.OPERATION.description())
                .tag("operation", operation.label())
                .tag("outcome", outcome.label())
                .register(meters);
    }
}
