package io.holdfast.step;

import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Lease;
import io.holdfast.lease.Loss;

/**
 * The answer to a begin. {@link New} and {@link Resumed} are told to work. With {@link New}, {@link Resumed} and
 * {@link Completed} the lease was renewed; with {@link Conflict} and {@link Lost} nothing was written.
 */
public sealed interface Begun {

    /** The key is reserved for this step now: do it. */
    record New(KeyClaim claim, Lease lease) implements Begun {}

    /**
     * The key was reserved for this step before, and never completed: by this worker (a repeat) or by one that died. An effect
     * outside this database may have happened already.
     */
    record Resumed(KeyClaim claim, Lease lease) implements Begun {}

    /** The step has been done; go on to the next. */
    record Completed(String outcome, Lease lease) implements Begun {}

    /** The key stands for another request or workflow. */
    record Conflict(Binding field) implements Begun {}

    /** The lease is over. Stop working. */
    record Lost(Loss reason) implements Begun {}
}
