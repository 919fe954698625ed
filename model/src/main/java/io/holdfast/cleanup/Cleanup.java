package io.holdfast.cleanup;

import java.util.function.Consumer;

/** Removes what is old, in one scope or, from the facade itself, in all of them. Thread-safe. */
public interface Cleanup {

    /**
     * Removes one batch of workflows, keys and leases, the oldest first, and says how much that was; call it again until it
     * removes nothing.
     *
     * <p>Two at once share the work. Each kind is a transaction of its own, except in a caller's transaction, which the pass
     * joins as a whole.
     *
     * <p>A row that a foreign key of the application refers to is passed by, and the others go; at most a hundred of each kind in
     * a call: where there are more, use {@link #run}.
     *
     * @throws io.holdfast.failure.StateConflictException in a caller's transaction, if a foreign key of the application refers to
     *     one of the rows: its name is in the details, and the transaction is over
     */
    Removed pass(Cutoff cutoff);

    /**
     * What {@link #run} would remove now, counted without a lock or a write, some thousand rows a statement. If nothing else
     * happens, a run removes just that; else what is removed is judged anew. An interrupted thread gets what was counted so
     * far, {@linkplain RetentionReport#complete incomplete}, and stays interrupted.
     */
    RetentionReport plan(RetentionPolicy policy);

    /**
     * Removes what the policy lets go, batch by batch, each a transaction of its own, with pauses. Goes through everything
     * once: what somebody has locked meanwhile is left for the next run, and so is what becomes due behind it. Nothing is
     * remembered, so running it again goes on after any end. Several at once share the work.
     *
     * <p>A workflow whose lease is held stays, however old; so does all of a run that somebody may still need. Ends early, {@linkplain RetentionReport#complete incomplete}, when
     * the pace's time is over or the thread is interrupted, which it then stays; at most the batch under way is finished first.
     *
     * @param progress told after each batch what has been removed so far; what it throws ends the run, and comes out
     * @throws io.holdfast.failure.InvalidValueException if this takes part in a caller's transaction, which would hold every
     *     lock until its end: use a facade that commits by itself
     */
    RetentionReport run(RetentionPolicy policy, RetentionPace pace, Consumer<Removed> progress);
}
