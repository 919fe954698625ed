package io.holdfast.checkpoint;

import io.holdfast.lease.Loss;

/** The answer to a save, in the order in which it is judged. Only {@link Saved} has written something. */
public sealed interface Saving {

    /** Saved now; the value to go on from. */
    record Saved(SavedCheckpoint saved) implements Saving {}

    /** No such run in this scope, or not the incarnation that was read: it was purged. */
    record NotFound() implements Saving {}

    /** This very checkpoint is what came after the revision that was read: the repeat of a call whose answer was lost. */
    record AlreadySaved(SavedCheckpoint saved) implements Saving {}

    /** The run's lease is not held under that fence. Stop working. */
    record FenceLost(Loss reason) implements Saving {}

    /** The run has ended, which no write changes. */
    record Finished(CheckpointStatus actual) implements Saving {}

    /** Somebody wrote it since it was read. */
    record RevisionConflict(long actual) implements Saving {}
}
