package io.holdfast.approval;

import io.holdfast.journal.RunHead;
import io.holdfast.lease.Loss;

/** The answer to a consume or a dispatch. Only {@link Consumed} and {@link Dispatched} have written something. */
public sealed interface Consumption {

    /** Consumed now, by this call, and no more: enter it into the journal in the same transaction. */
    record Consumed(Approval approval) implements Consumption {}

    /**
     * Consumed now, by this call, and entered into the journal: make the call.
     *
     * @param run where it stands with the entry; its next commit goes on from there
     */
    record Dispatched(Approval approval, RunHead run) implements Consumption {}

    /**
     * It was consumed before.
     *
     * @param same whether by this very step: then this was a repeat, or the step's worker died and its journal tells how far it
     *     came
     */
    record AlreadyConsumed(Approval approval, boolean same) implements Consumption {}

    /** The run's lease is not held under that fence. */
    record FenceLost(Loss reason) implements Consumption {}

    /** The approval is for another call, or for another run. */
    record Mismatch() implements Consumption {}

    /** Nobody has decided yet. */
    record Undecided(Approval approval) implements Consumption {}

    /** It was rejected; do not make the call. */
    record Rejected(Approval approval) implements Consumption {}

    /** It was approved, and its time was over before this. */
    record Expired(Approval approval) implements Consumption {}

    /** It was taken back. */
    record Withdrawn(Approval approval) implements Consumption {}

    /** There is no such approval in this scope. */
    record NotFound() implements Consumption {}

    /** The approval is still to be had, but the journal does not take the entry. Only of a dispatch. */
    record NotEntered(Obstacle obstacle) implements Consumption {}

    /** Why the journal does not take an entry. */
    enum Obstacle {
        /** There is no such run in this scope. */
        NO_RUN,
        /** The run has completed or failed. */
        RUN_ENDED,
        /** The run was written by a later release. */
        RUN_NEWER,
        /** The step has an intent or an outcome already. */
        STEP_TAKEN,
        /** The idempotency key stands for another effect. */
        KEY_TAKEN
    }
}
