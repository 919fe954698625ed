package io.holdfast.repository;

import org.jspecify.annotations.Nullable;

/** Holdfast's events in a flight recording, for as long as one asks for them. */
final class FlightRecording implements Observer {

    /** A server may hide the JDK's recorder from applications, and a runtime may be linked without it. */
    private static final boolean RECORDER = isThere("jdk.jfr.Event");

    private static final FlightRecording RECORDING = new FlightRecording();

    private FlightRecording() {}

    /** Who watches while a recording may be on; null for nobody. */
    static @Nullable Observer with(@Nullable Observer host) {
        if (!RECORDER || !new OperationEvent().isEnabled()) {
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
        if (!RECORDER) {
            return;
        }
        LeaseLostEvent event = new LeaseLostEvent();
        if (event.shouldCommit()) {
            event.cause = end.name();
            event.commit();
        }
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type, false, FlightRecording.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
