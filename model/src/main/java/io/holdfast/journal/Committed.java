package io.holdfast.journal;

import io.holdfast.lease.Loss;

/** The answer to a commit, in the order in which it is judged. Only {@link Done} has written something, and then all of it. */
public sealed interface Committed {

    /** Written now; the next commit goes on from here. */
    record Done(RunHead head) implements Committed {}

    /** No such run in this scope. */
    record NotFound() implements Committed {}

    /** This very commit, under this very fence, is the last one that is stored: the repeat of a call whose answer was lost. */
    record AlreadyApplied(RunHead head) implements Committed {}

    /** The run's lease is not held under that fence. Stop working. */
    record FenceLost(Loss reason) implements Committed {}

    /** The run is over. */
    record Finished(RunStatus status) implements Committed {}

    /** Something was committed since the revision that was expected. */
    record RevisionConflict(long actual) implements Committed {}

    /** The stored state is of a newer format, which its engine must not be set back from. */
    record StateVersionConflict(int stored) implements Committed {}

    /** A step is stored with another intent or outcome, or was done without an intent. */
    record StepConflict(StepKey step) implements Committed {}

    /**
     * The approval that an intent names was not consumed by this very step of this run, for a call of this very digest: it is
     * not decided or not consumed, or another step, another call or another run has it, or there is none. Consume it first, in
     * the same transaction.
     */
    record ApprovalNotConsumed(StepKey step, String approvalId) implements Committed {}

    /**
     * An effect may not become what the commit says of it: it is new and not pending, or its step has no intent, or has one
     * under an approval and an effect before it that may have happened; or it is stored with another key or result, or was
     * confirmed, in doubt or resolved.
     */
    record EffectConflict(StepKey step, int index) implements Committed {}

    /** Another effect of the scope has that idempotency key. */
    record KeyTaken(String idempotencyKey) implements Committed {}
}
