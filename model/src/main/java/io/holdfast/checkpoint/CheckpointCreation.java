package io.holdfast.checkpoint;

/** The answer to a create. Only {@link Created} has written something. */
public sealed interface CheckpointCreation {

    /** Created now, at revision 1. */
    record Created(SavedCheckpoint saved) implements CheckpointCreation {}

    /** The very same run is stored there already, and has not moved: the repeat of a call whose answer was lost, or a twin. */
    record AlreadyCreated(SavedCheckpoint saved) implements CheckpointCreation {}

    /** The id is taken by another run, or by this one, which has moved on. */
    record Taken(CheckpointStatus status, long revision) implements CheckpointCreation {}

    /** It cannot be forked from there. */
    record NoSource(Reason reason) implements CheckpointCreation {}

    /** What is wrong with the entry that a run was to be forked from. */
    enum Reason {
        /** There is no such entry, or not any more. */
        NOT_FOUND,
        /** It follows another definition. */
        OTHER_DEFINITION,
        /** There is no node to go on from. */
        AT_THE_END
    }
}
