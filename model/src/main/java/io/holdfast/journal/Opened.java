package io.holdfast.journal;

import io.holdfast.lease.Lease;
import java.time.Duration;

/** The answer to opening a run. */
public sealed interface Opened {

    /** The run was made, at revision 1, and its lease is the caller's. */
    record Done(RunHead head, Lease lease) implements Opened {}

    /**
     * There is a run of that id already.
     *
     * @param status where it stands
     */
    record Taken(RunStatus status) implements Opened {}

    /**
     * There is no such run, but somebody holds its lease.
     *
     * @param retryAfter until that expires, unless it is renewed or released
     */
    record Busy(Duration retryAfter) implements Opened {}
}
