package io.holdfast.journal;

import java.time.Instant;
import java.util.Optional;

/** A run that somebody should be at work on, and nobody is. */
public sealed interface RecoverableRun {

    /** The run. */
    String id();

    /** Why somebody should be at work on it. */
    enum Cause {
        /** It is to go on or to be finished, and whoever was at it has given its lease back or let it run out. */
        LEFT,
        /**
         * It is paused, and an approval of it was decided, taken back or has lapsed since it was last claimed: whoever was to
         * wake it has not.
         */
        ANSWERED
    }

    /**
     * One of the journal's, to be claimed with {@link RunLeases#claim}.
     *
     * @param kind what runs
     * @param definitionDigest digest of the definition it was opened with
     * @param status {@code PAUSED} if it is answered, or if somebody claimed it while it was paused and is gone, or if nothing
     *     of it is in doubt any more, or if its checkpoint says that it has gone on
     * @param revision counts its commits
     * @param updatedAt when something was last committed
     * @param lastOwner who held its lease; empty if that was given back
     */
    record Claimable(
            String id,
            Cause cause,
            RunKind kind,
            String definitionDigest,
            RunStatus status,
            long revision,
            Instant updatedAt,
            Optional<String> lastOwner)
            implements RecoverableRun {}

    /**
     * One whose checkpoint, of a run or of an agent, is not at its end, while the journal has no such run or one that is. Its
     * lease is taken as any other, with {@link io.holdfast.lease.Leases#acquire} of {@link io.holdfast.lease.LeaseKey#ofRun}.
     *
     * @param finished whether the journal says that it is over: then nothing runs any more, and only the checkpoint has to follow
     * @param lastOwner who held its lease; empty if that was given back
     */
    record Checkpointed(String id, Cause cause, boolean finished, Optional<String> lastOwner)
            implements RecoverableRun {}

    /**
     * One that this release cannot read: a newer one wrote it, or it is damaged. It hides none of the others.
     *
     * @param rule what does not hold
     */
    record Unreadable(String id, String rule) implements RecoverableRun {}
}
