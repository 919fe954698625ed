package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.CheckpointSummary;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.checkpoint.HistoryEntry;
import io.holdfast.checkpoint.Purged;
import io.holdfast.checkpoint.RunIdentity;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.lease.Fence;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link JpaCheckpoints}, with each call told to whoever watches. */
record ObservedCheckpoints(Observing observing, Scope scope) implements Checkpoints {

    @Override
    public CheckpointCreation create(RunStart run, Checkpoint first) {
        return observing.call(Operation.CHECKPOINT_CREATE, on -> over(on).create(run, first), CheckpointOutcomes::of);
    }

    @Override
    public Saving save(SavedCheckpoint read, Checkpoint next, Fence fence) {
        Saving answer = observing.call(
                Operation.CHECKPOINT_SAVE, on -> over(on).save(read, next, fence), CheckpointOutcomes::of);
        if (answer instanceof Saving.FenceLost lost) {
            Refused.log(Operation.CHECKPOINT_SAVE, scope, "run " + read.runId(), fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Saving overwrite(SavedCheckpoint read, Checkpoint next) {
        return observing.call(
                Operation.CHECKPOINT_OVERWRITE, on -> over(on).overwrite(read, next), CheckpointOutcomes::of);
    }

    @Override
    public Optional<SavedCheckpoint> find(String runId) {
        return observing.call(Operation.CHECKPOINT_FIND, on -> over(on).find(runId), Outcomes::ofFound);
    }

    @Override
    public List<HistoryEntry> history(String runId, long afterRevision, int limit) {
        return observing.call(
                Operation.CHECKPOINT_HISTORY,
                on -> over(on).history(runId, afterRevision, limit),
                page -> Outcome.DONE);
    }

    @Override
    public List<CheckpointSummary> children(String parentRunId, String after, int limit) {
        return observing.call(
                Operation.CHECKPOINT_CHILDREN,
                on -> over(on).children(parentRunId, after, limit),
                page -> Outcome.DONE);
    }

    @Override
    public Map<String, RunIdentity> identities(Collection<String> runIds) {
        return observing.call(
                Operation.CHECKPOINT_IDENTITIES, on -> over(on).identities(runIds), found -> Outcome.DONE);
    }

    @Override
    public List<CheckpointSummary> incomplete(Optional<CheckpointSummary.Place> after, int limit) {
        return observing.call(
                Operation.CHECKPOINT_INCOMPLETE, on -> over(on).incomplete(after, limit), page -> Outcome.DONE);
    }

    @Override
    public Purged purge(Duration endedFor, int keptEntries, int limit) {
        return observing.call(
                Operation.CHECKPOINT_PURGE, on -> over(on).purge(endedFor, keptEntries, limit), purged -> Outcome.DONE);
    }

    private JpaCheckpoints over(Transactions transactions) {
        return new JpaCheckpoints(transactions, scope);
    }
}
