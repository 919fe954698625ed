package io.holdfast.step;

import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;

/**
 * A worker's steps in one scope. Thread-safe. Each method writes in one statement and one commit; it joins the caller's
 * transaction if the facade does. So is a repeat, a conflict and a lost lease answered; a second statement is sent only for a key that has expired, for a
 * row that is not there, and for a race that left the first one open.
 */
public interface Steps {

    /**
     * Renews the workflow's lease, and reserves the step's key or says what became of it.
     *
     * <p>Who has lost the lease hears {@code Lost}. A repeat is {@code Resumed}. A key that has lapsed is reserved anew and is
     * {@code New}. An insert of the key that had to wait for a rival does not cost the lease: nobody can take it meanwhile.
     */
    Begun begin(Step step, Fence fence);

    /**
     * Writes the next state, completes the key with the outcome, and keeps or releases the lease.
     *
     * <p>Who has lost the lease, read an older state or holds an older reservation writes nothing. A repeat is
     * {@code AlreadyApplied}, whatever has become of the lease.
     *
     * @param claim as {@link #begin} gave it
     */
    Finished finish(KeyClaim claim, StepResult result, Fence fence);

    /**
     * Begin and finish in one, for a step without an effect outside this database: renews or releases the lease, writes the
     * state and stores the key as completed.
     *
     * <p>A key that the same request reserved before is completed. A repeat is {@code AlreadyApplied}.
     */
    Finished step(Step step, StepResult result, Fence fence);
}
