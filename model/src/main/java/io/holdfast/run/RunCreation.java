package io.holdfast.run;

/** The answer to a create. Only {@link Created} has written something. */
public sealed interface RunCreation {

    /** Created now, at revision 1. */
    record Created(Run run) implements RunCreation {}

    /**
     * A run of the very same state and metadata stands there and has not been updated since: the repeat of a call whose
     * answer was lost, or an equal twin.
     */
    record AlreadyCreated(Run run) implements RunCreation {}

    /**
     * The id is taken by a run of other content, or one that has moved on.
     *
     * @param revision the one that stands there
     */
    record Taken(long revision) implements RunCreation {}
}
