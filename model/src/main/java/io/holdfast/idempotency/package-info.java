/**
 * What was asked for already, and how it ended: idempotency keys, in table {@code idempotency_key}.
 *
 * <p>Who wants to do something at most once reserves its key first. One caller is answered
 * {@link io.holdfast.idempotency.Reservation.New} and does it; all others hear that it is in progress, how it ended, or that
 * the key stands for something else. Many may race for a new or a lapsed key: one wins, the others learn who did.
 *
 * <p>A reservation lapses when its time is over: somebody else may then reserve the key anew. But not while the workflow it
 * was reserved for is at work: as long as a lease of that workflow is live that was granted before the key's expiry, the key
 * stays reserved. Each reservation of a key has a number that none before it had, also not one that has been cleaned up; who
 * completes shows it, so the former holder of a lapsed key completes nothing. Completion starts the time anew: for as long,
 * the outcome is remembered.
 */
@NullMarked
package io.holdfast.idempotency;

import org.jspecify.annotations.NullMarked;
