package io.holdfast.journal;

import io.holdfast.lease.Loss;

/** The answer to a resolution, in the order in which it is judged. Only {@link Done} has written something. */
public sealed interface Resolved {

    /** Written now, with an event; of a paused run the lease is given back. */
    record Done(RunHead head) implements Resolved {}

    /** No such effect of that run in this scope. */
    record NotFound() implements Resolved {}

    /**
     * Somebody resolved it before, or this very call did; whatever the fence says.
     *
     * @param finding what was found out then
     * @param actor who found out
     */
    record AlreadyResolved(Resolution.Finding finding, String actor) implements Resolved {}

    /** The run's lease is not held under that fence. */
    record FenceLost(Loss reason) implements Resolved {}

    /** The run is over. */
    record Finished(RunStatus status) implements Resolved {}

    /** It is not in doubt: it is on its way, or confirmed. */
    record NotIndeterminate(EffectStatus status) implements Resolved {}
}
