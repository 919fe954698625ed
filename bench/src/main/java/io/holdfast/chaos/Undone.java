package io.holdfast.chaos;

/** Rolls a transaction back that has not got all it wants: nothing of it was written. */
final class Undone extends RuntimeException {

    private static final long serialVersionUID = 1;

    Undone() {
        super("undone", null, false, false);
    }
}
