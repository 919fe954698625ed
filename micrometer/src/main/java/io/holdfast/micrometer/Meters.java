package io.holdfast.micrometer;

import io.holdfast.repository.KeptLease;
import java.util.List;
import java.util.Locale;

/** What is measured, by Micrometer's conventions: the registry turns a name into its own form. */
enum Meters {
    OPERATION(
            "holdfast.operation",
            "timer",
            List.of("operation", "outcome"),
            "Calls of Holdfast, from the call to its answer"),
    RETRIES(
            "holdfast.operation.retries",
            "counter",
            List.of("operation"),
            "How often the database was asked again, after a lost race or a rival's fresh row"),
    HELD("holdfast.leases.held", "gauge", List.of(), "Leases that this process keeps"),
    RENEWAL_LAG(
            "holdfast.leases.renewal.lag",
            "gauge, seconds",
            List.of(),
            "For how long the most overdue renewal has been due"),
    NEXT_LOSS(
            "holdfast.leases.next.loss",
            "gauge, seconds",
            List.of(),
            "Until the first lease is given up if none is renewed; NaN while none is held"),
    LOST("holdfast.leases.lost", "counter", List.of("cause"), "Leases that ended other than by their worker's release"),
    POOL_WAIT("holdfast.pool.wait", "timer", List.of(), "Waits for a connection of Holdfast's own pool");

    private final String meter;
    private final String kind;
    private final List<String> tags;
    private final String description;

    Meters(String meter, String kind, List<String> tags, String description) {
        this.meter = meter;
        this.kind = kind;
        this.tags = tags;
        this.description = description;
    }

    /** Its name, as Micrometer has it. */
    String meter() {
        return meter;
    }

    String kind() {
        return kind;
    }

    /** The keys of its tags. */
    List<String> tags() {
        return tags;
    }

    /** A sentence for people. */
    String description() {
        return description;
    }

    static String value(KeptLease.End end) {
        return end.name().toLowerCase(Locale.ROOT);
    }
}
