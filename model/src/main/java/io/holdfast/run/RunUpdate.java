package io.holdfast.run;

/** The answer to an update, in the order in which it is judged. Only {@link Updated} has written something. */
public sealed interface RunUpdate {

    /** Written now, with its events; the value to go on from. */
    record Updated(Run run) implements RunUpdate {}

    /** No such run in this scope, or not the incarnation that was read. */
    record NotFound() implements RunUpdate {}

    /** This very change is what came after the revision that was read: the repeat of a call whose answer was lost. */
    record AlreadyApplied(Run run) implements RunUpdate {}

    /** The stored status is one that the change may not follow on. */
    record Forbidden(String actual) implements RunUpdate {}

    /**
     * Somebody wrote it since it was read.
     *
     * @param expected the revision that was read
     * @param actual the one that stands there
     */
    record RevisionConflict(long expected, long actual) implements RunUpdate {}
}
