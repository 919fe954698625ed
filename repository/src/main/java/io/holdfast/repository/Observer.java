package io.holdfast.repository;

/**
 * Is told what a facade and a keeper do: for metrics and traces, see {@link Holdfast#observed}. It hears of operations and
 * outcomes, never of an id, a scope, an owner or a payload. Without one, and with the flight recorder off, nothing is
 * measured.
 *
 * <p>Implementations are thread-safe and quick: they run in the middle of operations. What one throws is logged, and changes
 * nothing for the caller.
 */
public interface Observer {

    /** An operation begins, on the thread that called it. Of a call in {@link Holdfast#atomically} as well as of that itself. */
    Call begins(Operation operation);

    /** An operation that has begun. */
    interface Call {

        /**
         * It has ended, on the thread on which it began.
         *
         * @param outcome what was answered or thrown
         * @param attempts how often the database was asked: 1, or more where a lost race or a rival's fresh row made it ask
         *     again, and for the first lease of a scope
         */
        void ended(Outcome outcome, int attempts);
    }

    /** A keeper begins to renew; it may be asked for its {@link LeaseKeeper#state} at any time. */
    default void keeps(LeaseKeeper keeper) {}

    /** A kept lease has ended, other than by its worker's release. */
    default void lost(KeptLease.End end) {}

    /** A connection of Holdfast's own pool was asked for, and had or given up on after that many nanoseconds. */
    default void waited(long nanos) {}
}
