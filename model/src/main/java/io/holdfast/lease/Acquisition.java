package io.holdfast.lease;

import java.time.Duration;

/** The answer to an acquire. */
public sealed interface Acquisition {

    /** The lease is the caller's, with a token that no one had before. */
    record Granted(Lease lease) implements Acquisition {}

    /**
     * Another owner holds it. Who that is stays unsaid.
     *
     * @param retryAfter until it expires, unless it is renewed or released
     */
    record Busy(Duration retryAfter) implements Acquisition {}
}
