package io.holdfast.repository;

import java.time.Duration;

/** The answer to {@link LeaseKeeper#acquire}. */
public sealed interface Keeping {

    /** The lease is the caller's, and is being renewed. */
    record Kept(KeptLease lease) implements Keeping {}

    /**
     * Another owner holds it. Who that is stays unsaid.
     *
     * @param retryAfter until it expires, unless it is renewed or released
     */
    record Busy(Duration retryAfter) implements Keeping {}
}
