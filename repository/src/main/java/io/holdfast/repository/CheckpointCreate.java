package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.Fork;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.repository.Transactions.Effect;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The first checkpoint of a run: its row and, with the payload, its first entry. */
final class CheckpointCreate {

    private CheckpointCreate() {}

    private record Row(
            String verdict,
            @Nullable String incarnation,
            @Nullable Long revision,
            @Nullable String status,
            @Nullable String startedVersion,
            @Nullable Instant createdAt,
            @Nullable Instant updatedAt) {

        SavedCheckpoint of(RunStart run, Checkpoint first) {
            return new SavedCheckpoint(
                    run,
                    first,
                    requireNonNull(revision),
                    UUID.fromString(requireNonNull(incarnation)),
                    Optional.ofNullable(startedVersion),
                    requireNonNull(createdAt),
                    requireNonNull(updatedAt));
        }
    }

    // Nothing at all comes back if a rival's insert was waited for: too new for this snapshot to be seen.
    private static final Statement<Row> CREATE = Statement.returning(Row.class, """
            with {patience},
            given as materialized (   -- sent once
              select cast(:definition_hash as text) as definition_hash, cast(:definition_version as text) as definition_version,
                     cast(:status as text) as status, cast(:node as text) as node, cast(:steps as integer) as steps,
                     cast(:waiting_for as text) as waiting_for, cast(:waiting_ids as text) as waiting_ids,
                     cast(:state as text) as state, cast(:details as text) as details,
                     cast(:parent as text) as parent_run_id, cast(:forked_run as text) as forked_run_id,
                     cast(:forked_revision as bigint) as forked_revision, cast(:forked_steps as integer) as forked_steps,
                     cast(:forked_changed as boolean) as forked_changed, cast(:history_from as bigint) as history_from),
            source as materialized (   -- entries never change, so there is nothing to lock
              select e.definition_hash = g.definition_hash as same, e.node is not null as goes_on
                from {checkpoint_entry} e, given g
               where e.scope = :scope and e.run_id = cast(:forked_run as text) and e.revision = cast(:forked_revision as bigint)
                 and e.revision >= (   -- a reservation is not part of the history
                   select c.history_from from {checkpoint} c where c.scope = :scope and c.run_id = cast(:forked_run as text))),
            fresh as (   -- do nothing on a conflict: a violated key would end a caller's transaction
              insert into {checkpoint} as c (scope, run_id, parent_run_id, path, forked_run_id, forked_revision, forked_steps,
                     forked_changed, definition_hash, definition_version, started_version, status, node, steps, waiting_for,
                     waiting_ids, revision, history_from, created_at, updated_at)
              select :scope, :run, g.parent_run_id, :path, g.forked_run_id, g.forked_revision, g.forked_steps,
                     case when g.forked_run_id is not null then g.forked_changed end,
                     g.definition_hash, g.definition_version, case when g.history_from = 1 then g.definition_version end, g.status,
                     g.node, g.steps, g.waiting_for, g.waiting_ids, 1, g.history_from, m.at, m.at
                from given g, (select clock_timestamp() as at from patience) m
               where g.forked_run_id is null or exists (select from source s where s.same and s.goes_on)
              on conflict (scope, run_id) do nothing
              returning c.incarnation, c.revision, c.status, c.started_version, c.created_at, c.updated_at),
            entered as (
              insert into {checkpoint_entry} (scope, run_id, revision, definition_hash, definition_version, status,
                     node, steps, waiting_for, waiting_ids, state, details, saved_at)
              select :scope, :run, f.revision, g.definition_hash, g.definition_version, g.status,
                     g.node, g.steps, g.waiting_for, g.waiting_ids, g.state, g.details, f.created_at
                from fresh f, given g),
            taken as materialized (
              select c.incarnation, c.revision, c.status, c.started_version, c.created_at, c.updated_at,
                     c.revision = 1 and c.parent_run_id is not distinct from g.parent_run_id
                       and (c.forked_run_id, c.forked_revision) is not distinct from (g.forked_run_id, g.forked_revision)
                       and e.state = g.state and e.details = g.details and e.status = g.status and e.steps = g.steps
                       and e.definition_hash = g.definition_hash
                       and (e.definition_version, e.node, e.waiting_for, e.waiting_ids)
                           is not distinct from (g.definition_version, g.node, g.waiting_for, g.waiting_ids) as same
                from given g, {checkpoint} c
                left join {checkpoint_entry} e on e.scope = :scope and e.run_id = :run and e.revision = 1
               where c.scope = :scope and c.run_id = :run and not exists (select from fresh))
            select 'CREATED' as verdict, cast(f.incarnation as text) as incarnation, f.revision, f.status, f.started_version,
                   f.created_at, f.updated_at
              from fresh f
            union all
            select case when t.same then 'SAME' else 'TAKEN' end, cast(t.incarnation as text), t.revision, t.status,
                   t.started_version, t.created_at, t.updated_at
              from taken t
            union all
            select case when s.same is null then 'NOT_FOUND' when not s.same then 'OTHER_DEFINITION' else 'AT_THE_END' end,
                   null, null, null, null, null, null
              from given g left join source s on true
             where g.forked_run_id is not null and (s.same and s.goes_on) is not true
               and not exists (select from fresh) and not exists (select from taken)
            """);

    static CheckpointCreation run(Transactions transactions, Scope scope, RunStart run, Checkpoint first) {
        Optional<Fork> fork = run.fork();
        boolean reserved = first.status() == CheckpointStatus.RUNNING && first.steps() == 0 && fork.isEmpty();
        return Again.until(
                "checkpoint.create",
                () -> transactions
                        .single(
                                "checkpoint.create",
                                Effect.WRITE,
                                s -> CheckpointContent.into(s.call(CREATE), first)
                                        .set("scope", scope.id())
                                        .set("run", run.runId())
                                        .set("parent", run.parentRunId().orElse(null))
                                        .set("path", RunPath.of(run.runId()))
                                        .set("forked_run", fork.map(Fork::runId).orElse(null))
                                        .set(
                                                "forked_revision",
                                                fork.map(Fork::revision).orElse(null))
                                        .set(
                                                "forked_steps",
                                                fork.map(f -> (long) f.steps()).orElse(null))
                                        .set(
                                                "forked_changed",
                                                fork.map(Fork::stateChanged).orElse(false))
                                        .set("history_from", reserved ? 2L : 1L)
                                        .first())
                        .map(row -> answer(row, run, first)));
    }

    private static CheckpointCreation answer(Row row, RunStart run, Checkpoint first) {
        return switch (row.verdict()) {
            case "CREATED" -> new CheckpointCreation.Created(row.of(run, first));
            case "SAME" -> new CheckpointCreation.AlreadyCreated(row.of(run, first));
            case "TAKEN" ->
                new CheckpointCreation.Taken(
                        CheckpointContent.status(run.runId(), requireNonNull(row.status())),
                        requireNonNull(row.revision()));
            default -> new CheckpointCreation.NoSource(CheckpointCreation.Reason.valueOf(row.verdict()));
        };
    }
}
