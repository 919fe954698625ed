package io.holdfast.lease;

/** The answer to a renewal. */
public sealed interface Renewal {

    /** The lease goes on. */
    record Renewed(Lease lease) implements Renewal {}

    /** The lease is over; nothing was written. Stop working. */
    record Lost(Loss reason) implements Renewal {}

    /**
     * Somebody had the row locked, and a renewal of many waits for no one: not renewed this time, not lost either. Only
     * {@link Leases#renewAll} answers so.
     */
    record Deferred() implements Renewal {}
}
