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

    /** How many runs of each kind are looked at for one page, at most. */
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
     * All runs of the scope that somebody should be at work on and whose lease nobody holds, whatever is kept of them: the one
     * list that a supervisor asks for, again and again.
     *
     * <ul>
     *   <li>Of the journal: running or interrupted; or paused, claimed since, and let go by whoever did, whether he died or gave
     *       the lease back: only the commit that pauses it again says that there was nothing to do. Or paused, and its last effect
     *       in doubt was resolved.
     *   <li>Of checkpoints: running, and standing by itself, as children are resumed by their parents.
     *   <li>Of agents: at work, or at the end and not finished.
     *   <li>Paused, with an approval that was decided, taken back or has lapsed since the run was last claimed. The claim is what
     *       says that the run has heard: who claims it and pauses it again is not sent to it a second time for the same answer.
     *       A run that is not the journal's has heard what was answered before its lease was last granted, once it was saved
     *       after that. What was approved and has lapsed counts once it is withdrawn; of what has lapsed
     *       undecided the {@value #MAX_LOOKED_AT} oldest are looked at, those apart whose runs had ended in the journal. So
     *       withdraw what has expired now and then ({@link io.holdfast.approval.Approvals#withdrawExpired}).
     * </ul>
     *
     * <p>By id, each run once. Runs that are finished, or that wait for an answer, cost nothing, however many; one that cannot
     * be read hides none of the others. No name of a process is looked at. Takes no lock and works on a read replica: an entry
     * is a hint, the claim decides.
     *
     * @param after where the page before ended; empty text for the first
     * @param limit 1 to {@value #MAX_PAGE}
     */
    RecoverablePage recoverable(String after, int limit);
}
