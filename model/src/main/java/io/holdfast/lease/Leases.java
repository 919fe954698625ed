package io.holdfast.lease;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Leases of one scope. Thread-safe. Each method is one statement; it joins the caller's transaction if the facade does,
 * and is a transaction of its own otherwise.
 */
public interface Leases {

    /** The ttl for who has no reason for another. */
    Duration DEFAULT_TTL = Duration.ofSeconds(120);

    /**
     * Grants the lease if it is free, expired, or held by this very owner, with a token greater than any before. A grant
     * is the whole {@code ttl} from the moment the row was locked, however long that took, and however long the caller's
     * transaction has been open.
     *
     * <p>Two at once: one is granted, the other is {@code Busy}. The same owner again is granted again, and its former
     * token is dead: a restarted process does not share a fence with its former self. So an answer that got lost is
     * mended by repeating the call. Who must not enter twice uses an owner per attempt.
     *
     * <p>In a caller's transaction the grant is worth nothing before that commits, and others wait for it.
     *
     * @param owner who asks; 1 to 128 characters of {@code A-Z a-z 0-9 _ . -}, a letter or digit first
     * @param ttl 1 second to 1 day, cut to whole milliseconds
     * @throws TokensExhaustedException after 2^63-1 grants
     */
    Acquisition acquire(LeaseKey key, String owner, Duration ttl);

    /**
     * Puts the end of the lease off to its own ttl from now; never shortens it. The token stays.
     *
     * <p>Who was taken over or is too late hears {@code Lost}, even if the lease ended while this call waited for a lock.
     * A repeat renews once more. Neither waits for a fenced business transaction nor makes it wait.
     */
    Renewal renew(LeaseKey key, Fence fence);

    /**
     * Renews many, a thousand by a statement, each in the order of their keys and without waiting for anyone. After a failure
     * some of them may have been renewed; a repeat renews them once more.
     *
     * @param held what is held, with which fence; 0 to 10,000
     * @return an answer for each key; a row that was locked is {@link Renewal.Deferred}
     */
    Map<LeaseKey, Renewal> renewAll(Map<LeaseKey, Fence> held);

    /**
     * Frees the lease if this fence is the one it was granted with, expired or not. The row and its token stay, so the
     * next grant has a greater one.
     *
     * @return whether it was freed now; {@code false} on a repeat, after a takeover, and for an unknown key
     */
    boolean release(LeaseKey key, Fence fence);

    /**
     * The lease as it is stored, also when it has expired; empty when it was released or never granted. Takes no lock and
     * works on a read replica.
     */
    Optional<Lease> find(LeaseKey key);
}
