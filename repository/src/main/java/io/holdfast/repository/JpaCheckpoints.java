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
import io.holdfast.codec.Given;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checkpoints in tables {@code checkpoint} and {@code checkpoint_entry}. One statement each, beside what it is about. */
final class JpaCheckpoints implements Checkpoints {

    private final Transactions transactions;
    private final Scope scope;

    JpaCheckpoints(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    @Override
    public CheckpointCreation create(RunStart run, Checkpoint first) {
        return CheckpointCreate.run(transactions, scope, Given.value("run", run), Given.value("first", first));
    }

    @Override
    public Saving save(SavedCheckpoint read, Checkpoint next, Fence fence) {
        Given.value("read", read);
        Given.value("next", next);
        return CheckpointSave.run(transactions, scope, read, next, Given.value("fence", fence));
    }

    @Override
    public Saving overwrite(SavedCheckpoint read, Checkpoint next) {
        return CheckpointSave.overwrite(transactions, scope, Given.value("read", read), Given.value("next", next));
    }

    @Override
    public Optional<SavedCheckpoint> find(String runId) {
        if (!CheckpointLists.isRunId(Given.value("runId", runId))) {
            return Optional.empty();
        }
        return transactions
                .single("checkpoint.find", Effect.READ, s -> StoredCheckpoint.find(s, scope, runId))
                .map(StoredCheckpoint::saved);
    }

    @Override
    public List<HistoryEntry> history(String runId, long afterRevision, int limit) {
        return CheckpointLists.history(transactions, scope, runId, afterRevision, limit);
    }

    @Override
    public List<CheckpointSummary> children(String parentRunId, String after, int limit) {
        return CheckpointLists.children(transactions, scope, parentRunId, after, limit);
    }

    @Override
    public Map<String, RunIdentity> identities(Collection<String> runIds) {
        return CheckpointLists.identities(transactions, scope, runIds);
    }

    @Override
    public List<CheckpointSummary> incomplete(Optional<CheckpointSummary.Place> after, int limit) {
        return CheckpointLists.incomplete(transactions, scope, after, limit);
    }

    @Override
    public Purged purge(Duration endedFor, int keptEntries, int limit) {
        return CheckpointPurge.run(transactions, scope, endedFor, keptEntries, limit);
    }
}
