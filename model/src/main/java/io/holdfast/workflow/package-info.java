/**
 * The state of durable workflows, one row each, in table {@code workflow}.
 *
 * <p>A workflow is read as one value, {@link io.holdfast.workflow.Workflow}: the state, the revision it was read at and the
 * row's incarnation. A write names what it was read from, and happens only if that is still what is stored: optimistic
 * compare-and-set. Of two writers that read the same revision one is {@link io.holdfast.workflow.Update.Updated}, the other
 * hears what stands there now. A state may only grow out of the one before: its history is a prefix, each step a legal move.
 *
 * <p>Workers write fenced, under the workflow's lease. A write by revision alone is possible and safe as well, for
 * operators and applications: the lease's holder hears of it at its next write.
 *
 * <p>Cancellation is asked for beside all that: it waits for no revision, changes none, and no later write can lose it.
 *
 * <p>A workflow that was removed and created again under the same id is another incarnation: nothing that was read from, or
 * leased for, the old one can write to it by its revision.
 */
@NullMarked
package io.holdfast.workflow;

import org.jspecify.annotations.NullMarked;
