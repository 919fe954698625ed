package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.checkpoint.Fork;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run as it is stored, with the last entry of its history. */
record StoredCheckpoint(
        String runId,
        @Nullable String parentRunId,
        @Nullable String forkedRunId,
        @Nullable Long forkedRevision,
        @Nullable Long forkedSteps,
        boolean forkedChanged,
        String definitionHash,
        @Nullable String definitionVersion,
        @Nullable String startedVersion,
        String status,
        @Nullable String node,
        long steps,
        @Nullable String waitingFor,
        @Nullable String waitingIds,
        String state,
        String details,
        long revision,
        String incarnation,
        Instant createdAt,
        Instant updatedAt) {

    private static final Statement<StoredCheckpoint> FIND = Statement.returning(StoredCheckpoint.class, """
            select c.run_id, c.parent_run_id, c.forked_run_id, c.forked_revision, c.forked_steps, c.forked_changed,
                   c.definition_hash, c.definition_version, c.started_version, c.status, c.node, c.steps, c.waiting_for,
                   c.waiting_ids, e.state, e.details, c.revision, cast(c.incarnation as text) as incarnation, c.created_at,
                   c.updated_at
              from {checkpoint} c, {checkpoint_entry} e
             where c.scope = :scope and c.run_id = :run and e.scope = :scope and e.run_id = :run
               and e.revision = (   -- in brackets: known before the entries are looked at, or all of them might be read
                 select l.revision from {checkpoint} l where l.scope = :scope and l.run_id = :run)
            """);

    static Optional<StoredCheckpoint> find(Statements statements, Scope scope, String runId) {
        return statements.call(FIND).set("scope", scope.id()).set("run", runId).first();
    }

    SavedCheckpoint saved() {
        return new SavedCheckpoint(
                CheckpointContent.read(runId, () -> new RunStart(runId, Optional.ofNullable(parentRunId), fork())),
                CheckpointContent.checkpoint(
                        runId,
                        CheckpointContent.definition(runId, definitionHash, definitionVersion),
                        status,
                        node,
                        steps,
                        waitingFor,
                        waitingIds,
                        state,
                        details),
                revision,
                UUID.fromString(incarnation),
                Optional.ofNullable(startedVersion),
                createdAt,
                updatedAt);
    }

    private Optional<Fork> fork() {
        return Optional.ofNullable(forkedRunId)
                .map(source -> new Fork(
                        source,
                        requireNonNull(forkedRevision),
                        Math.toIntExact(requireNonNull(forkedSteps)),
                        forkedChanged));
    }
}
