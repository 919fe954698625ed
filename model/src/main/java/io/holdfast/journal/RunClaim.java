package io.holdfast.journal;

import io.holdfast.lease.Lease;
import java.time.Duration;

/** The answer to a claim. Only {@link Granted} has written something. */
public sealed interface RunClaim {

    /** The run's lease is the caller's; its status is what it was. */
    record Granted(RunHead head, Lease lease) implements RunClaim {}

    /** No such run in this scope. */
    record NotFound() implements RunClaim {}

    /** The run was opened with another definition. */
    record DefinitionMismatch(String stored) implements RunClaim {}

    /** It is over. */
    record Finished(RunStatus status) implements RunClaim {}

    /**
     * Another owner is at work on it.
     *
     * @param retryAfter until its lease expires, unless it is renewed or released
     */
    record Busy(Duration retryAfter) implements RunClaim {}
}
