package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.StepKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a commit to a journal is answered: a verdict, the run as it stands, and what was in the way. */
record CommitRow(
        String verdict,
        @Nullable String status,
        @Nullable Long revision,
        @Nullable Long events,
        @Nullable Instant updatedAt,
        @Nullable Long stateVersion,
        @Nullable Long journalVersion,
        @Nullable String step,
        @Nullable String approval,
        @Nullable Long effect,
        @Nullable String takenKey) {

    RunHead head(String id) {
        return new RunHead(
                id,
                Wire.runStatus(id, status),
                requireNonNull(revision),
                requireNonNull(events),
                requireNonNull(updatedAt));
    }

    Committed answer(JournalCommit commit) {
        String id = commit.runId();
        return switch (verdict) {
            case "DONE" -> new Committed.Done(head(id));
            case "NOT_FOUND" -> new Committed.NotFound();
            case "ALREADY_APPLIED" -> new Committed.AlreadyApplied(head(id));
            case "FINISHED" -> new Committed.Finished(Wire.runStatus(id, status));
            case "REVISION" -> new Committed.RevisionConflict(requireNonNull(revision));
            case "STATE_VERSION" -> new Committed.StateVersionConflict(Math.toIntExact(requireNonNull(stateVersion)));
            case "STEP" -> new Committed.StepConflict(new StepKey(requireNonNull(step)));
            case "APPROVAL" ->
                new Committed.ApprovalNotConsumed(new StepKey(requireNonNull(step)), requireNonNull(approval));
            case "EFFECT" -> {
                EffectEntry entry = commit.effects().get(Math.toIntExact(requireNonNull(effect)) - 1);
                yield new Committed.EffectConflict(entry.step(), entry.index());
            }
            case "KEY" -> new Committed.KeyTaken(requireNonNull(takenKey));
            case "UNSUPPORTED" -> throw JpaRunLeases.unsupported(id, requireNonNull(journalVersion));
            default -> new Committed.FenceLost(LeaseRow.loss(verdict));
        };
    }
}
