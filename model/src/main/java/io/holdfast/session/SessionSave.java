package io.holdfast.session;

/** The answer to a save. Only {@link Saved} has written something. */
public sealed interface SessionSave {

    /**
     * Written now.
     *
     * @param revision the one to name next time: 1 after the first save
     */
    record Saved(long revision) implements SessionSave {}

    /** These very messages are what came after the revision that was named: the repeat of a call whose answer was lost. */
    record AlreadySaved(long revision) implements SessionSave {}

    /**
     * Another revision stands there than was named.
     *
     * @param expected the one that was named
     * @param actual the one that stands there; 0 if there is none
     */
    record Conflict(long expected, long actual) implements SessionSave {}
}
