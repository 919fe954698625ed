package io.holdfast.agent;

import io.holdfast.lease.Fence;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.Optional;

/**
 * Checkpoints of one scope's agents. Thread-safe. Each method is one statement; it joins the caller's transaction if the facade
 * does, and is a transaction of its own otherwise. No constraint violation is ever provoked: a caller's transaction stays
 * usable whatever the answer.
 *
 * <p>One in a status that only a newer release knows is left as it is: who reads, saves, finishes or purges it hears a
 * {@link io.holdfast.failure.CorruptRecordException}.
 *
 * <p>A checkpoint and the journal's commit that belongs to it go into one transaction: the checkpoint first, because a commit that
 * pauses or finishes the run gives the lease back.
 */
public interface AgentCheckpoints {

    /** The longest page. */
    int MAX_PAGE = 1_000;

    /**
     * Saves where the run stands, under the run's lease and on top of the revision that was read.
     *
     * <p>Who has lost the lease, read an older revision or comes after the end writes nothing; so does a call that was held up
     * while its worker went on. A repeat is {@code AlreadyApplied}. Two first saves at once: one is {@code Done}.
     *
     * @param run 1 to 1,024 bytes of UTF-8 without control characters
     * @param revision of the checkpoint that this one follows; 0: it is the run's first
     */
    Saved save(String run, long revision, AgentState state, Fence fence);

    /**
     * As {@link #save}, and gives the lease back, for a run that waits for somebody or leaves its worker. Where a save has stored
     * this very checkpoint already and kept the lease, it only gives that back, and is {@code Done} with the revision that stands.
     */
    Saved pause(String run, long revision, AgentState state, Fence fence);

    /**
     * The run's checkpoint; empty if there is none, or if the run is over. Takes no lock and works on a read replica. Who has
     * taken the lease before reads what its former holder saved last.
     *
     * @throws io.holdfast.failure.CorruptRecordException if what is stored is not what any release wrote
     */
    Optional<AgentCheckpoint> load(String run);

    /**
     * Removes the run's checkpoint for good, also of a run that was never saved, and keeps the lease or gives it back. No save
     * revives it. A repeat is {@code AlreadyOver}, whatever has become of the lease.
     *
     * @param leaseAfter {@code KEEP} where a commit of the journal follows in the same transaction, which gives it back
     */
    Ended finish(String run, LeaseAfter leaseAfter, Fence fence);

    /**
     * Removes a run's checkpoint for good, whoever is at work on it and whatever lease is held: for operators. The worker hears
     * of it at its next save; its lease stays with it until it runs out.
     *
     * @return whether there was one; false also for a run that is over
     */
    boolean purge(String run);

    /**
     * Runs in a status, oldest first, for who wants to see them; a supervisor asks
     * {@link io.holdfast.journal.RunLeases#recoverable}. Takes no lock and works on a read replica.
     *
     * @param status of those that are over there is no list
     * @param after where the page begins; empty: at the oldest
     * @param limit 1 to {@value #MAX_PAGE}
     */
    AgentPage incomplete(AgentStatus status, Optional<AgentPage.Place> after, int limit);
}
