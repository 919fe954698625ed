package io.holdfast.step;

import io.holdfast.idempotency.Binding;
import io.holdfast.lease.Loss;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Workflow;

/**
 * The answer to a finish or a step, in the order in which it is judged. Only {@link Done} has written something: state, key
 * and lease together; with all others none of them.
 */
public sealed interface Finished {

    /** Written now; the value to go on from. */
    record Done(Workflow workflow) implements Finished {}

    /** No such workflow in this scope, or not the incarnation that was read. */
    record NotFound() implements Finished {}

    /** This very state and outcome are stored already: the repeat of a call whose answer was lost. */
    record AlreadyApplied(Workflow workflow) implements Finished {}

    /** The workflow's lease is not held under that fence. Stop working. */
    record FenceLost(Loss reason) implements Finished {}

    /** The stored state is terminal, which no write changes. */
    record Terminal(WorkflowStatus actual) implements Finished {}

    /** Somebody moved it to another status since it was read. */
    record StatusConflict(WorkflowStatus actual) implements Finished {}

    /** Somebody wrote it since it was read; the status is the same. */
    record RevisionConflict(long actual) implements Finished {}

    /** The new state does not grow out of the one that was read. */
    record HistoryConflict(HistoryBreach breach) implements Finished {}

    /** There is no such key in this scope. */
    record KeyNotFound() implements Finished {}

    /** The key is bound to another request or workflow, or was reserved anew since. */
    record KeyConflict(Binding field) implements Finished {}

    /** The key was completed before, with this outcome. */
    record KeyCompleted(String outcome) implements Finished {}
}
