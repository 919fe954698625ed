package io.holdfast.lease;

import java.time.Duration;

/** The answer to an acquire. */
public sealed interface Acquisition {

    /** The lease is the caller's, with a token that no one had before. */
    record Granted(Lease lease) implements Acquisition {}

    /**
     * Another owner holds it. Who that is stays unsaid. Nobody queues: to ask again, wait a random time, up to a millisecond or
     * so for each who may want it, also after having had it; then all have the same chance, and refusals cost little.
     *
     * @param retryAfter until it expires, unless it is renewed or released
     */
    record Busy(Duration retryAfter) implements Acquisition {}
}
