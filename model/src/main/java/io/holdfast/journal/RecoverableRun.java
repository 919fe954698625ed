package io.holdfast.journal;

import java.time.Instant;
import java.util.Optional;

/** A run that somebody should be at work on, and nobody is. */
public sealed interface RecoverableRun {

    /** The run. */
    String id();

    /**
     * One that can be claimed.
     *
     * @param kind what runs
     * @param definitionDigest digest of the definition it was opened with
     * @param status {@code PAUSED} if somebody claimed it while it was paused, and is gone
     * @param revision counts its commits
     * @param updatedAt when something was last committed
     * @param lastOwner who held its lease; empty if that was given back
     */
    record Claimable(
            String id,
            RunKind kind,
            String definitionDigest,
            RunStatus status,
            long revision,
            Instant updatedAt,
            Optional<String> lastOwner)
            implements RecoverableRun {}

    /**
     * One that this release cannot read: a newer one wrote it, or it is damaged. It hides none of the others.
     *
     * @param rule what does not hold
     */
    record Unreadable(String id, String rule) implements RecoverableRun {}
}
