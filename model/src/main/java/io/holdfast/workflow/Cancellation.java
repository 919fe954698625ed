package io.holdfast.workflow;

import io.holdfast.state.WorkflowStatus;

/** The answer to a request for cancellation. Only {@link Requested} has written something. */
public sealed interface Cancellation {

    /** Asked for now; the worker will see it. */
    record Requested(CancelRequest request) implements Cancellation {}

    /** Asked for before; the first reason stands. */
    record AlreadyRequested(CancelRequest request) implements Cancellation {}

    /** It has ended already. */
    record Terminal(WorkflowStatus actual) implements Cancellation {}

    /** No such workflow in this scope. */
    record NotFound() implements Cancellation {}
}
