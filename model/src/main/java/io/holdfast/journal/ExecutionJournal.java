package io.holdfast.journal;

import io.holdfast.lease.Fence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The journals of one scope's runs. Thread-safe. Each method is one statement; it joins the caller's transaction if the facade
 * does, and is a transaction of its own otherwise. No constraint violation is ever provoked: a caller's transaction of
 * isolation READ COMMITTED stays usable whatever the answer.
 *
 * <p>A row that a newer release wrote is refused with {@link io.holdfast.failure.UnsupportedVersionException}.
 */
public interface ExecutionJournal {

    /** The longest page of a list, and the most that a snapshot holds of each. */
    int MAX_PAGE = 1_000;

    /**
     * Makes a run, at revision 1 and running, and takes its lease.
     *
     * <p>Two at once: one is {@code Done}, the other hears {@code Taken} or, while the first has not committed, waits. A
     * repeat is {@code Taken}: whoever does not know whether it was he claims the run.
     *
     * @param owner as for {@link RunLeases#claim}
     * @param ttl as for {@link RunLeases#claim}
     */
    Opened open(NewRun run, String owner, Duration ttl);

    /**
     * The run with what belongs to it, all of one moment. Takes no lock, never waits for one, and works on a read replica.
     *
     * @param runId any text; one that cannot be an id finds nothing
     * @throws io.holdfast.failure.CorruptRecordException if what is stored is not what any release wrote
     */
    Optional<RunSnapshot> find(String runId);

    /**
     * Writes all that a commit holds, or nothing, under the run's lease. One that pauses or finishes the run gives the lease
     * back with it.
     *
     * <p>Steps: an intent or outcome that is stored already changes nothing; one that differs is a conflict, and so is an
     * intent after an outcome that had none. Effects: the step needs an intent, stored or in this commit; a new effect is
     * pending; a pending one becomes confirmed or indeterminate; what is stored already changes nothing; all else is a
     * conflict. An intent under an approval is written only if its step has consumed that, for this very call, in this
     * transaction or before it; and such a step has a further effect only once all before it were found not to have happened.
     * Events are numbered from 1 without gaps, also when commits come at once.
     *
     * <p>Two at once under one fence: one after the other, the second judged by what the first has written. After a takeover
     * the former holder hears {@code FenceLost}, however late it comes. A repeat of the last commit is
     * {@code AlreadyApplied} if it said which revision it was made from; else its events are appended again. Renewals go on
     * meanwhile, and do not change the revision.
     */
    Committed commit(Fence fence, JournalCommit entry);

    /**
     * Says what became of an effect that was in doubt, under the run's lease, and appends an event {@code effect_resolved}.
     * If the run is paused its lease is given back, and recovery lists it once nothing of it is in doubt any more. A repeat is
     * {@code AlreadyResolved}.
     */
    Resolved resolveEffect(Fence fence, String runId, EffectId effect, Resolution resolution);

    /**
     * The run's steps in the order in which they were first written. None is left out: who goes on by a list that lacks one
     * would do again what was done. Where one of the page cannot be read, all of it fails and names that one, and what is before
     * and behind it is read by pages that end and begin there.
     *
     * @param after the ordinal behind which the page begins; 0 for the first
     * @param limit 1 to {@value #MAX_PAGE}
     * @throws io.holdfast.failure.CorruptRecordException if a step is not what this release writes; names its ordinal
     */
    List<RecordedStep> steps(String runId, long after, int limit);

    /**
     * The run's effects in the order in which they were first written. As of {@link #steps}, none is left out.
     *
     * @param after the ordinal behind which the page begins; 0 for the first
     * @param limit 1 to {@value #MAX_PAGE}
     * @throws io.holdfast.failure.CorruptRecordException if an effect is not what this release writes; names its ordinal
     */
    List<Effect> effects(String runId, long after, int limit);

    /**
     * The run's events in their order.
     *
     * @param after the sequence behind which the page begins; 0 for the first
     * @param limit 1 to {@value #MAX_PAGE}
     */
    List<RecordedEvent> events(String runId, long after, int limit);

    /**
     * Removes runs that finished long ago, with all that belongs to them, oldest first: a run stays as long as one of its
     * effects is pending or in doubt, or one of its parts is unfinished, or the run that it is a part of. Nobody calls this of itself. Never waits: what
     * somebody has locked is left for the next time. What a foreign key of the application refers to is passed by, at most a
     * hundred in a call.
     *
     * @param finishedFor how long ago a run must have finished, at least; not negative
     * @param limit how many runs at most, 1 to {@value #MAX_PAGE}
     * @return how many
     * @throws io.holdfast.failure.StateConflictException in a caller's transaction, if a foreign key of the application refers to
     *     one of them: its name is in the details, and the transaction is over
     */
    int purge(Duration finishedFor, int limit);
}
