package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.lease.Fence;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A later checkpoint of a run: its row moves on, and an entry is appended. */
final class CheckpointSave {

    private CheckpointSave() {}

    private record Row(
            String verdict,
            @Nullable Long revision,
            @Nullable String status,
            @Nullable String startedVersion,
            @Nullable Instant updatedAt) {

        SavedCheckpoint after(SavedCheckpoint read, Checkpoint next) {
            return new SavedCheckpoint(
                    read.run(),
                    next,
                    requireNonNull(revision),
                    read.incarnation(),
                    Optional.ofNullable(startedVersion),
                    read.createdAt(),
                    requireNonNull(updatedAt));
        }
    }

    // One statement for both forms: without an owner no lease is looked at.
    private static final Statement<Row> SAVE = Statement.returning(Row.class, """
            with {patience},
            given as materialized (   -- sent once
              select cast(:definition_hash as text) as definition_hash, cast(:definition_version as text) as definition_version,
                     cast(:status as text) as status, cast(:node as text) as node, cast(:steps as integer) as steps,
                     cast(:waiting_for as text) as waiting_for, cast(:waiting_ids as text) as waiting_ids,
                     cast(:state as text) as state, cast(:details as text) as details),
            seen as materialized (   -- of the same moment as the lease, whose lock does not wait for who gives it back
              select c.ctid as place from {checkpoint} c where c.scope = :scope and c.run_id = :run),
            held as materialized (   -- key share: nobody takes the lease over before we commit, and its heartbeat goes on
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where cast(:owner as text) is not null
                 and x.scope = :scope and x.kind = 'run' and x.id = :run for key share of x),
            stored as materialized (   -- after the lease: the order of locks is the same everywhere
              select c.ctid as place, c.incarnation, c.revision, c.status, c.started_version, c.updated_at
                from {checkpoint} c, (select count(*) from held) first, (select count(*) from patience) second
               where c.scope = :scope and c.run_id = :run for no key update of c),
            moment as materialized (   -- behind each lock by name
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second),
            followed as materialized (   -- only where somebody came first is a payload looked at
              select e.state = g.state and e.details = g.details and e.status = g.status and e.steps = g.steps
                       and e.definition_hash = g.definition_hash
                       and (e.definition_version, e.node, e.waiting_for, e.waiting_ids)
                           is not distinct from (g.definition_version, g.node, g.waiting_for, g.waiting_ids) as same
                from stored t, {checkpoint_entry} e, given g
               where t.revision - 1 = :revision and e.scope = :scope and e.run_id = :run and e.revision = t.revision),
            judged as materialized (
              select m.at, case
                when t.incarnation is null or t.incarnation <> cast(:incarnation as uuid) then 'NOT_FOUND'
                when w.same then 'ALREADY_SAVED'   -- whatever the fence says: a repeat has to hear it
                when t.revision - 1 = :revision and w.same is null then 'AGAIN'   -- an entry too new for this snapshot
                when cast(:owner as text) is not null and h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> cast(:token as bigint) then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then case when h.expires_at <= b.since then 'LOST_EXPIRED'
                                                    else 'AGAIN' end   -- it may have been renewed while we waited
                when t.status in ('completed', 'failed', 'rejected') then 'FINISHED'
                when t.revision <> :revision then 'REVISION'
                when cast(:owner as text) is not null and t.place is distinct from s.place
                     then 'AGAIN'   -- with the save that we waited for, the lease may have been given back
                else 'SAVED' end as verdict
                from moment m cross join patience b left join seen s on true
                left join held h on true left join stored t on true left join followed w on true),
            moved as (
              update {checkpoint} c set definition_hash = g.definition_hash, definition_version = g.definition_version,
                     started_version = case when c.history_from > c.revision then g.definition_version else c.started_version end,
                     status = g.status, node = g.node, steps = g.steps, waiting_for = g.waiting_for,
                     waiting_ids = g.waiting_ids, revision = c.revision + 1, updated_at = j.at
                from judged j, given g where j.verdict = 'SAVED' and c.scope = :scope and c.run_id = :run
              returning c.revision, c.status, c.started_version, c.updated_at),
            entered as (   -- appended last, and nothing that was there before is touched
              insert into {checkpoint_entry} (scope, run_id, revision, definition_hash, definition_version, status,
                     node, steps, waiting_for, waiting_ids, state, details, saved_at)
              select :scope, :run, n.revision, g.definition_hash, g.definition_version, g.status,
                     g.node, g.steps, g.waiting_for, g.waiting_ids, g.state, g.details, n.updated_at
                from moved n, given g)
            select j.verdict, coalesce(n.revision, t.revision) as revision, coalesce(n.status, t.status) as status,
                   case when n.revision is null then t.started_version else n.started_version end as started_version,
                   coalesce(n.updated_at, t.updated_at) as updated_at
              from judged j left join stored t on true left join moved n on true
            """);

    static Saving run(Transactions transactions, Scope scope, SavedCheckpoint read, Checkpoint next, Fence fence) {
        return run("checkpoint.save", transactions, scope, read, next, fence.owner(), fence.token());
    }

    static Saving overwrite(Transactions transactions, Scope scope, SavedCheckpoint read, Checkpoint next) {
        return run("checkpoint.overwrite", transactions, scope, read, next, null, null);
    }

    private static Saving run(
            String operation,
            Transactions transactions,
            Scope scope,
            SavedCheckpoint read,
            Checkpoint next,
            @Nullable String owner,
            @Nullable Long token) {
        return answer(
                Again.row(
                        transactions,
                        operation,
                        Row::verdict,
                        s -> CheckpointContent.into(s.call(SAVE), next)
                                .set("scope", scope.id())
                                .set("run", read.runId())
                                .set("incarnation", read.incarnation().toString())
                                .set("revision", read.revision())
                                .set("owner", owner)
                                .set("token", token)
                                .row()),
                read,
                next);
    }

    private static Saving answer(Row row, SavedCheckpoint read, Checkpoint next) {
        return switch (row.verdict()) {
            case "SAVED" -> new Saving.Saved(row.after(read, next));
            case "NOT_FOUND" -> new Saving.NotFound();
            case "ALREADY_SAVED" -> new Saving.AlreadySaved(row.after(read, next));
            case "FINISHED" -> new Saving.Finished(CheckpointStatus.of(requireNonNull(row.status())));
            case "REVISION" -> new Saving.RevisionConflict(requireNonNull(row.revision()));
            default -> new Saving.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }
}
