/**
 * Who may work on what, until when: leases with fencing tokens, in table {@code lease}.
 *
 * <p>A lease is granted to one owner for a time, measured on the database's clock alone. With each grant comes a
 * <em>fencing token</em>, greater than every token granted for that key before: across releases, expiry, retention and
 * restarts. Whoever writes under a lease shows owner and token (a {@link io.holdfast.lease.Fence}), and the write is judged
 * in the same statement that performs it, with the lease row locked: a holder that was paused past its expiry is refused
 * however late its write arrives.
 *
 * <p>The possible race is two owners acquiring the same key; exactly one is granted, the other hears
 * {@link io.holdfast.lease.Acquisition.Busy}. The row outlives its lease; only retention removes it, and raises the
 * scope's token floor ({@code lease_floor}) in the same transaction.
 *
 * <p>A worker that waits for a lock does not lose time: expiry is counted from the moment at which the lock was held.
 * There is no clock tolerance and no dead zone: at the instant of expiry the holder may act no more and others may acquire.
 */
@NullMarked
package io.holdfast.lease;

import org.jspecify.annotations.NullMarked;
