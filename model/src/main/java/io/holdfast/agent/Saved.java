package io.holdfast.agent;

import io.holdfast.lease.Loss;

/** The answer to a save. Only {@link Done} has written something. */
public sealed interface Saved {

    /** Saved now, by this call; the next save names this revision. */
    record Done(long revision) implements Saved {}

    /** This very checkpoint is stored on top of that revision: a repeat, whatever has become of the lease. */
    record AlreadyApplied(long revision) implements Saved {}

    /** The run's lease is not held under that fence. Stop working. */
    record FenceLost(Loss reason) implements Saved {}

    /** The run is over, and nothing revives it. */
    record Over(AgentStatus status) implements Saved {}

    /**
     * Another checkpoint was saved since, or none at all.
     *
     * @param actual the stored revision; 0: none
     */
    record RevisionConflict(long actual) implements Saved {}
}
