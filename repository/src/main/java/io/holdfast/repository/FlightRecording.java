package io.holdfast.repository;

import org.jspecify.annotations.Nullable;

/** Holdfast's events in a flight recording, for as long as one asks for them. */
final class FlightRecording implements Observer {

    private static final FlightRecording RECORDING = new FlightRecording();

    private FlightRecording() {}

    /** Who watches while a recording may be on; null for nobody. */
    static @Nullable Observer with(@Nullable Observer host) {
        if (!new OperationEvent().isEnabled()) {
            return host;
        }
        return host == null ? RECORDING : new BothObservers(host, RECORDING);
    }

    @Override
    public Call begins(Operation operation) {
        OperationEvent event = new OperationEvent();
        event.begin();
        return (outcome, attempts) -> {
            event.end();
            if (event.shouldCommit()) {
                event.operation = operation.label();
                event.outcome = outcome.label();
                event.attempts = attempts;
                event.commit();
            }
        };
    }

    static void record(KeptLease.End end) {
        LeaseLostEvent event = new LeaseLostEvent();
        if (event.shouldCommit()) {
            event.cause = end.name();
            event.commit();
        }
    }
}
