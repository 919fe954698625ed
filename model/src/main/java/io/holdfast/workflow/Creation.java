package io.holdfast.workflow;

/** The answer to a create. Only {@link Created} has written something. */
public sealed interface Creation {

    /** Created now, at revision 1. */
    record Created(Workflow workflow) implements Creation {}

    /** The very same state is stored there already: the repeat of a call whose answer was lost, or an equal twin. */
    record AlreadyCreated(Workflow workflow) implements Creation {}

    /**
     * The id is taken by a workflow of other content, or one that has moved on.
     *
     * @param revision the one that stands there
     */
    record Taken(long revision) implements Creation {}
}
