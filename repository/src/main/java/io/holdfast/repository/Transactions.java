package io.holdfast.repository;

import java.util.function.Function;

/**
 * The one seam between the stores and the environment: whose connection it is, whose transaction, and who commits. What
 * comes out of it are answers and Holdfast's own exceptions, never the driver's or Hibernate's.
 */
interface Transactions {

    /** Whether an operation writes: then a connection that is lost while it commits by itself leaves its outcome unknown. */
    enum Effect {
        READ,
        WRITE
    }

    /**
     * Runs work of one statement, or of two of which only one writes: without {@code begin} and {@code commit} where the
     * connection is ours and commits by itself. If a writer loses a serialization race or a deadlock and the transaction is ours, it is run again, at most
     * three times.
     *
     * @param operation what is attempted, for errors: a constant of the library
     */
    <R> R single(String operation, Effect effect, Function<Statements, R> work);

    /** Runs work of several statements in one transaction; all of it or nothing. Run again as {@link #single} is. */
    <R> R whole(String operation, Function<Statements, R> work);

    /** Whether the transaction is somebody else's, who will end it: what the database refuses has ended it, all the same. */
    boolean isCallers();

    /** Runs the application's code with everything that is called on the seam it is given in one transaction. */
    <R> R atomically(Function<Transactions, R> code);
}
