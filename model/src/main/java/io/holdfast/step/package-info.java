/**
 * The two ends of a worker's step, each written by one statement, all or nothing, over the workflow's lease, its state and
 * the step's idempotency key.
 *
 * <p>{@link io.holdfast.step.Steps#begin} renews the lease and reserves the step's key, or says how the step ended. Then the
 * worker does what the step is for. {@link io.holdfast.step.Steps#finish} writes the next state, completes the key, and keeps
 * or releases the lease: only if the lease is still held, the state is still the one that was read and the key still that
 * reservation. A worker that was paused past its lease finishes nothing. A step whose effect is inside this database, or that
 * has none, is begun and finished at once by {@link io.holdfast.step.Steps#step}.
 *
 * <p>Effects outside this database happen at least once: a worker that dies between the two ends leaves its key reserved, and
 * the next one hears {@link io.holdfast.step.Begun.Resumed}, which says that the effect may have happened.
 */
@NullMarked
package io.holdfast.step;

import org.jspecify.annotations.NullMarked;
