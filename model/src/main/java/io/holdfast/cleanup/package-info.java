/**
 * Removing what is no longer needed: terminal workflows, expired keys, leases that nobody holds; and of engines and agents what
 * has come to its end.
 *
 * <p>A pass never waits for a lock and never blocks anyone: a row that somebody has locked is left for the next pass. Each
 * row is judged on the database's clock once it is locked, so nothing that was renewed, taken over or completed a moment ago
 * is removed. A key is not removed while it is reserved and its workflow is at work. Before a lease row goes, the scope's token
 * floor is raised to its token, in the same transaction: tokens keep growing.
 *
 * <p>{@link io.holdfast.cleanup.Cleanup#pass} is one such batch by age alone; {@link io.holdfast.cleanup.Cleanup#run} goes
 * through everything by a {@link io.holdfast.cleanup.RetentionPolicy}, and {@link io.holdfast.cleanup.Cleanup#plan} counts
 * what that would be.
 *
 * <p>Of a run nothing goes while anybody may still need any of it: see {@link io.holdfast.cleanup.RetentionRule} and the guide.
 * A purge leaves no way back: a write that names what was read before finds another incarnation, a lower token or a newer
 * revision, whoever has made what in its place.
 */
@NullMarked
package io.holdfast.cleanup;

import org.jspecify.annotations.NullMarked;
