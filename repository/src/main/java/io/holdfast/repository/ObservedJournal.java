package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.RecordedStep;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.lease.Fence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@link JpaExecutionJournal}, with each call told to whoever watches. */
record ObservedJournal(Observing observing, Scope scope) implements ExecutionJournal {

    @Override
    public Opened open(NewRun run, String owner, Duration ttl) {
        return observing.call(Operation.JOURNAL_OPEN, on -> over(on).open(run, owner, ttl), JournalOutcomes::of);
    }

    @Override
    public Optional<RunSnapshot> find(String runId) {
        return observing.call(Operation.JOURNAL_FIND, on -> over(on).find(runId), Outcomes::ofFound);
    }

    @Override
    public Committed commit(Fence fence, JournalCommit entry) {
        Committed answer =
                observing.call(Operation.JOURNAL_COMMIT, on -> over(on).commit(fence, entry), JournalOutcomes::of);
        if (answer instanceof Committed.FenceLost lost) {
            Refused.log(Operation.JOURNAL_COMMIT, scope, "run " + entry.runId(), fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Resolved resolveEffect(Fence fence, String runId, EffectId effect, Resolution resolution) {
        Resolved answer = observing.call(
                Operation.JOURNAL_RESOLVE_EFFECT,
                on -> over(on).resolveEffect(fence, runId, effect, resolution),
                JournalOutcomes::of);
        if (answer instanceof Resolved.FenceLost lost) {
            Refused.log(Operation.JOURNAL_RESOLVE_EFFECT, scope, "run " + runId, fence, lost.reason());
        }
        return answer;
    }

    @Override
    public List<RecordedStep> steps(String runId, long after, int limit) {
        return observing.call(Operation.JOURNAL_STEPS, on -> over(on).steps(runId, after, limit), page -> Outcome.DONE);
    }

    @Override
    public List<Effect> effects(String runId, long after, int limit) {
        return observing.call(
                Operation.JOURNAL_EFFECTS, on -> over(on).effects(runId, after, limit), page -> Outcome.DONE);
    }

    @Override
    public List<RecordedEvent> events(String runId, long after, int limit) {
        return observing.call(
                Operation.JOURNAL_EVENTS, on -> over(on).events(runId, after, limit), page -> Outcome.DONE);
    }

    @Override
    public int purge(Duration finishedFor, int limit) {
        return observing.call(
                Operation.JOURNAL_PURGE, on -> over(on).purge(finishedFor, limit), removed -> Outcome.DONE);
    }

    private JpaExecutionJournal over(Transactions transactions) {
        return new JpaExecutionJournal(transactions, scope);
    }
}
