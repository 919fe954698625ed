/**
 * The checkpoints of runs, in tables {@code checkpoint} (where each run stands, one narrow row) and {@code checkpoint_entry}
 * (what was saved, one row each, never changed).
 *
 * <p>A run is read as one value, {@link io.holdfast.checkpoint.SavedCheckpoint}: the last checkpoint, the revision it was
 * read at and the run's incarnation. A save names what it was read from, and happens only if that is still what stands there
 * and while the run's lease is held under the fence that is shown. Of two savers of one revision one is
 * {@link io.holdfast.checkpoint.Saving.Saved}, the other hears what stands there now; a holder whose lease ran out while it
 * waited is refused however late its save arrives.
 *
 * <p>What is over is over: no write changes a run that has completed, failed or been rejected, and none brings back one that
 * was purged. A run that was purged and created again under the same id is another incarnation.
 *
 * <p>Every save appends one entry to the run's history and rewrites none, so the hundredth save costs what the first did. The
 * payload is written once, into that entry. The last entry is the checkpoint; the row of the run only says which one it is.
 *
 * <p>The lease is the one of {@link io.holdfast.lease.LeaseKey#ofRun}, the same that guards the run's journal.
 */
@NullMarked
package io.holdfast.checkpoint;

import org.jspecify.annotations.NullMarked;
