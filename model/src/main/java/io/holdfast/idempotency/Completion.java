package io.holdfast.idempotency;

import io.holdfast.lease.Loss;

/** The answer to a complete. Only {@link Done} has written something. */
public sealed interface Completion {

    /** Completed now, by this call. */
    record Done(IdempotencyKey key) implements Completion {}

    /**
     * It was completed before.
     *
     * @param same whether with the outcome of this call: then this was a repeat
     */
    record AlreadyCompleted(IdempotencyKey key, boolean same) implements Completion {}

    /** The key is bound to another workflow, or was reserved anew since. */
    record Conflict(Binding field) implements Completion {}

    /** There is no such key in this scope. */
    record NotFound() implements Completion {}

    /** The lease of the workflow is not held under that fence. */
    record FenceLost(Loss reason) implements Completion {}
}
