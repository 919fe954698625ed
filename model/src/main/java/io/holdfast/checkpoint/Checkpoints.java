package io.holdfast.checkpoint;

import io.holdfast.lease.Fence;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checkpoints of the runs of one scope. Thread-safe. Each method is one statement; it joins the caller's transaction if the
 * facade does, and is a transaction of its own otherwise. No constraint violation is ever provoked: a caller's transaction of
 * isolation READ COMMITTED stays usable whatever the answer. At a higher isolation a lost race is a
 * {@link io.holdfast.failure.TransactionLostException}, and that transaction is over.
 */
public interface Checkpoints {

    /** The longest page of a list. */
    int MAX_PAGE = 1_000;

    /** The longest page of a history, whose entries may be large. */
    int MAX_HISTORY_PAGE = 100;

    /** The most runs that are removed at once. */
    int MAX_PURGE = 1_000;

    /**
     * Stores a new run at revision 1. One that is running at step 0 and no fork is only reserved: its history begins with the
     * first save. Any other has its first entry now. Needs no lease, so that the run can be stored together with it.
     *
     * <p>Two at once: one is {@code Created}; the other waits for it to commit, then hears {@code AlreadyCreated} if it is the
     * same and {@code Taken} if not. A repeat is {@code AlreadyCreated} as long as the run has not moved.
     *
     * <p>A fork is created only if its source has that entry, follows the same definition there and has a node to go on from.
     */
    CheckpointCreation create(RunStart run, Checkpoint first);

    /**
     * Replaces the checkpoint that was read by the next one, and appends it to the history, while the run's lease
     * ({@link io.holdfast.lease.LeaseKey#ofRun}) is held under this fence. The lease cannot change hands before the save
     * commits; renewing it meanwhile is possible.
     *
     * <p>Two of one revision: one is {@code Saved}, the other hears what stands there now. A repeat is {@code AlreadySaved},
     * whatever has become of the lease. A run that has ended stays as it ended; one that was purged is {@code NotFound}.
     *
     * @param read what a method of this store returned
     */
    Saving save(SavedCheckpoint read, Checkpoint next, Fence fence);

    /**
     * As {@link #save}, but by revision alone, whoever holds the run's lease: for operators, when nobody works on the run or
     * whoever does shall be overruled. The lease's holder hears of it at its next save.
     */
    Saving overwrite(SavedCheckpoint read, Checkpoint next);

    /**
     * The run as it is stored. Takes no lock and works on a read replica.
     *
     * @param runId any text; one that cannot be an id finds nothing
     */
    Optional<SavedCheckpoint> find(String runId);

    /**
     * What was saved after a revision, oldest first. Takes no lock. Reads no more entries than it returns, however long the
     * history is. None is left out: where one of the page cannot be read, all of it fails and names that one, and what is before
     * and behind it is read by pages that end and begin there.
     *
     * @param runId any text; one that cannot be an id has no history
     * @param afterRevision the revision of the last entry of the page before; 0: from the start
     * @param limit 1 to {@value #MAX_HISTORY_PAGE}
     * @throws io.holdfast.failure.CorruptRecordException if an entry is not what this release writes; names its revision
     */
    List<HistoryEntry> history(String runId, long afterRevision, int limit);

    /**
     * All runs below one: its children, and theirs. In the order of their steps: by name, then by the numbers of step, attempt
     * and item, each run before those below it. Takes no lock.
     *
     * @param parentRunId compared byte by byte; any text, one that cannot be an id has no children
     * @param after the id of the last run of the page before; empty: from the start
     * @param limit 1 to {@value #MAX_PAGE}
     */
    List<CheckpointSummary> children(String parentRunId, String after, int limit);

    /**
     * Which definition each of the runs follows. Those that are not there are left out.
     *
     * @param runIds at most {@value #MAX_PAGE}; none: nothing is sent
     */
    Map<String, RunIdentity> identities(Collection<String> runIds);

    /**
     * Runs that say they are running and whose lease nobody holds, oldest first and by id where two are as old: candidates for
     * being taken over. Only those that stand by themselves, as children are resumed by their parents. A hint: the lease
     * decides. For who has nothing but checkpoints and wants to see them by age; a supervisor asks
     * {@link io.holdfast.journal.RunLeases#recoverable}, which has them too. Takes no lock.
     *
     * @param after the place of the last run of the page before; empty: from the start
     * @param limit at most {@value #MAX_PAGE}; 0 or less: none, and nothing is sent
     */
    List<CheckpointSummary> incomplete(Optional<CheckpointSummary.Place> after, int limit);

    /**
     * Removes runs that have ended, or cuts their histories, those first that ended first. A run whose lease is held is left
     * alone, and so is a part of one that has not ended, and one that somebody has locked: nobody is waited for. Nothing brings a removed run back; who still has it
     * hears {@code NotFound}. What a foreign key of the application refers to is passed by, at most a hundred in a call.
     *
     * @param endedFor only runs that ended so long ago; 0 or more, cut to whole milliseconds
     * @param keptEntries 0: the runs are removed; otherwise they stay, and of each history so many of the last entries
     * @param limit how many runs at most; 1 to {@value #MAX_PURGE}. Call again while it removes as many
     * @throws io.holdfast.failure.StateConflictException in a caller's transaction, if a foreign key of the application refers to
     *     what was to go: its name is in the details, and the transaction is over
     */
    Purged purge(Duration endedFor, int keptEntries, int limit);
}
