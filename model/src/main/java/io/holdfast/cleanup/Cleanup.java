package io.holdfast.cleanup;

/** Removes what is old, in one scope or, from the facade itself, in all of them. Thread-safe. */
public interface Cleanup {

    /**
     * Removes one batch, the oldest first, and says how much that was; call it again until it removes nothing.
     *
     * <p>Two at once share the work. Each kind is a transaction of its own, except in a caller's transaction, which the pass
     * joins as a whole.
     */
    Removed pass(Cutoff cutoff);
}
