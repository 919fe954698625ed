package io.holdfast.workflow;

import io.holdfast.lease.Loss;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.WorkflowStatus;

/** The answer to an update, in the order in which it is judged. Only {@link Updated} has written something. */
public sealed interface Update {

    /** Written now; the value to go on from. */
    record Updated(Workflow workflow) implements Update {}

    /** No such workflow in this scope, or not the incarnation that was read. */
    record NotFound() implements Update {}

    /** This very state is what came after the revision that was read: the repeat of a call whose answer was lost. */
    record AlreadyApplied(Workflow workflow) implements Update {}

    /** The workflow's lease is not held under that fence. */
    record FenceLost(Loss reason) implements Update {}

    /** The stored state is terminal, which no write changes. */
    record Terminal(WorkflowStatus actual) implements Update {}

    /** Somebody moved it to another status since it was read. */
    record StatusConflict(WorkflowStatus actual) implements Update {}

    /** Somebody wrote it since it was read; the status is the same. */
    record RevisionConflict(long actual) implements Update {}

    /** The new state does not grow out of the one that was read. */
    record HistoryConflict(HistoryBreach breach) implements Update {}
}
