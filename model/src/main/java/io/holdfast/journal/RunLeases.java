package io.holdfast.journal;

import java.time.Duration;

/**
 * Who is at work on which run. The leases are those of {@link io.holdfast.lease.Leases}, of kind
 * {@link io.holdfast.lease.LeaseKey#RUN}: they are renewed, kept and released there, and no renewal touches the run.
 * Thread-safe.
 */
public interface RunLeases {

    /** The ttl for who has no reason for another. */
    Duration DEFAULT_TTL = Duration.ofSeconds(30);

    /** The longest page. */
    int MAX_PAGE = 1_000;

    /** How many runs are looked at for one page, at most. */
    int MAX_LOOKED_AT = 10_000;

    /**
     * Takes the lease of an unfinished run whose lease is free, expired, or this very owner's, with a token greater than any
     * before. A paused run stays paused.
     *
     * <p>Judged in this order: not found, another definition (also of a finished run), finished, busy. Two at once: one is
     * granted, the other is {@code Busy}. The same owner again is granted again, and its former token is dead: so an answer
     * that got lost is mended by repeating the call, and no two workers share a fence. One statement; in a caller's
     * transaction the grant is worth nothing before that commits.
     *
     * @param runId any text; one that cannot be an id is not found
     * @param owner who asks; 1 to 128 characters of {@code A-Z a-z 0-9 _ . -}, a letter or digit first. A
     *     {@link io.holdfast.process.ProcessIdentity} is one
     * @param ttl 1 second to 1 day, cut to whole milliseconds
     * @param definitionDigest of the definition the caller would go on with
     * @throws io.holdfast.failure.UnsupportedVersionException if a newer release wrote the run
     * @throws io.holdfast.lease.TokensExhaustedException after 2^63-1 grants
     */
    RunClaim claim(String runId, String owner, Duration ttl, String definitionDigest);

    /**
     * Runs that somebody should be at work on and nobody is: running or interrupted with a lease that is free or expired, or
     * paused, claimed since, and with a lease that is expired. By id; runs that are finished, or paused and left alone, cost
     * nothing, however many. Takes no lock and works on a read replica: an entry is a hint, the claim decides.
     *
     * @param after where the page before ended; empty text for the first
     * @param limit 1 to {@value #MAX_PAGE}
     */
    RecoverablePage recoverable(String after, int limit);
}
