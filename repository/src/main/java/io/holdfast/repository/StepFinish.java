package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.step.Finished;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;

/** The end of a step: state written, key completed, lease kept or released, or nothing of it. */
final class StepFinish {

    private StepFinish() {}

    /**
     * Where lease, state and key have their rows, which leaves nothing to look for elsewhere. Nothing comes back, and nothing
     * is written, where one has none; then {@link #FINISH_IN_FULL} says which.
     */
    private static final Statement<WorkflowRow> FINISH = Statement.returning(WorkflowRow.class, """
            with {patience},
            given as not materialized (select cast(:snapshot as text) as snapshot),   -- sent once, used twice
            held as materialized (   -- at once in the mode that a release needs: locks are never upgraded
              select x.owner, x.token, x.expires_at from {lease} x, patience
               where x.scope = :scope and x.kind = 'workflow' and x.id = :id for no key update of x),
            stored as materialized (   -- the join makes it wait for the lease's lock: the order is the same everywhere
              select h.owner, h.token, h.expires_at, w.incarnation, w.revision, w.status, w.cancel_requested_at, w.cancel_reason,
                     w.updated_at, w.revision = :revision + 1 and w.snapshot = g.snapshot as same
                from {workflow} w, held h, given g where w.scope = :scope and w.id = :id for no key update of w),
            keyed as materialized (
              select s.*, i.reservation, i.workflow_id, i.status as key_status, i.outcome from {idempotency_key} i, stored s
               where i.scope = :scope and i.key = :key for no key update of i),
            judged as materialized (   -- a row of keyed has been locked by now, and those before it
              select k.*, clock_timestamp() as at, case
                when k.incarnation <> cast(:incarnation as uuid) then 'NOT_FOUND'
                when k.same and k.outcome = :outcome and k.workflow_id = :id then 'ALREADY_APPLIED'   -- whatever the fence says
                when k.owner is null then 'LOST_NONE'
                when k.owner <> :owner or k.token <> :token then 'LOST_SUPERSEDED'
                when k.expires_at <= clock_timestamp() then 'LOST_EXPIRED'
                when k.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
                when k.status <> :was then 'STATUS'
                when k.revision <> :revision then 'REVISION'
                when not :legal then 'HISTORY'
                when k.workflow_id <> :id then 'KEY_WORKFLOW'
                when k.reservation <> :reservation then 'KEY_RESERVATION'
                when k.key_status = 'completed' then 'KEY_COMPLETED'
                else 'DONE' end as verdict
                from keyed k),
            moved as (
              update {workflow} w set revision = w.revision + 1, status = :becomes, snapshot = g.snapshot, updated_at = j.at
                from judged j, given g where j.verdict = 'DONE' and w.scope = :scope and w.id = :id
              returning w.revision, w.status, w.updated_at),
            completed as (
              update {idempotency_key} i set status = 'completed', outcome = :outcome, updated_at = m.updated_at,
                     expires_at = m.updated_at + i.keep_ms * interval '1 millisecond'
                from moved m where i.scope = :scope and i.key = :key),
            released as (
              update {lease} x set owner = null, expires_at = m.updated_at
                from moved m where :release and x.scope = :scope and x.kind = 'workflow' and x.id = :id)
            select j.verdict, coalesce(m.revision, j.revision) as revision, coalesce(m.status, j.status) as status,
                   j.cancel_requested_at, j.cancel_reason, coalesce(m.updated_at, j.updated_at) as updated_at,
                   j.outcome as key_outcome
              from judged j left join moved m on true
            """);

    private static final Statement<WorkflowRow> FINISH_IN_FULL = Statement.returning(WorkflowRow.class, """
            with {patience},
            given as not materialized (select cast(:snapshot as text) as snapshot),
            held as materialized (   -- at once in the mode that a release needs: locks are never upgraded
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'workflow' and x.id = :id for no key update of x),
            stored as materialized (
              select w.incarnation, w.revision, w.status, w.cancel_requested_at, w.cancel_reason, w.updated_at,
                     w.revision = :revision + 1 and w.snapshot = g.snapshot as same
                from {workflow} w, given g, (select count(*) from held) first, (select count(*) from patience) second
               where w.scope = :scope and w.id = :id for no key update of w),
            keyed as materialized (
              select i.reservation, i.workflow_id, i.status, i.outcome
                from {idempotency_key} i, (select count(*) from stored) first, (select count(*) from patience) second
               where i.scope = :scope and i.key = :key for no key update of i),
            moment as materialized (   -- behind each lock by name: where there is no key, a join to it forces nothing
              select clock_timestamp() as at
                from (select count(*) from held) first, (select count(*) from stored) second, (select count(*) from keyed) third),
            judged as materialized (
              select m.at, case
                when t.incarnation is null or t.incarnation <> cast(:incarnation as uuid) then 'NOT_FOUND'
                when t.same and k.outcome = :outcome and k.workflow_id = :id then 'ALREADY_APPLIED'   -- whatever the fence says
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then 'LOST_EXPIRED'
                when t.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
                when t.status <> :was then 'STATUS'
                when t.revision <> :revision then 'REVISION'
                when not :legal then 'HISTORY'
                when k.reservation is null then 'KEY_NOT_FOUND'
                when k.workflow_id <> :id then 'KEY_WORKFLOW'
                when k.reservation <> :reservation then 'KEY_RESERVATION'
                when k.status = 'completed' then 'KEY_COMPLETED'
                else 'DONE' end as verdict
                from moment m left join held h on true left join stored t on true left join keyed k on true),
            moved as (
              update {workflow} w set revision = w.revision + 1, status = :becomes, snapshot = g.snapshot, updated_at = j.at
                from judged j, given g where j.verdict = 'DONE' and w.scope = :scope and w.id = :id
              returning w.revision, w.status, w.updated_at),
            completed as (
              update {idempotency_key} i set status = 'completed', outcome = :outcome, updated_at = j.at,
                     expires_at = j.at + i.keep_ms * interval '1 millisecond'
                from judged j where j.verdict = 'DONE' and i.scope = :scope and i.key = :key),
            released as (
              update {lease} x set owner = null, expires_at = j.at
                from judged j
               where j.verdict = 'DONE' and :release and x.scope = :scope and x.kind = 'workflow' and x.id = :id)
            select j.verdict, coalesce(n.revision, t.revision) as revision, coalesce(n.status, t.status) as status,
                   t.cancel_requested_at, t.cancel_reason, coalesce(n.updated_at, t.updated_at) as updated_at,
                   k.outcome as key_outcome
              from judged j left join stored t on true left join keyed k on true left join moved n on true
            """);

    static Finished run(Transactions transactions, Scope scope, KeyClaim claim, StepResult result, Fence fence) {
        Change change = Change.of(scope, result.read(), result.next());
        WorkflowRow row = transactions.single(
                "step.finish",
                Effect.WRITE,
                s -> given(change.into(s.call(FINISH), scope), claim, result, fence)
                        .first()
                        .orElseGet(() -> given(change.into(s.call(FINISH_IN_FULL), scope), claim, result, fence)
                                .row()));
        return answer(row, change);
    }

    private static Call<WorkflowRow> given(Call<WorkflowRow> call, KeyClaim claim, StepResult result, Fence fence) {
        return call.set("key", claim.key())
                .set("reservation", claim.reservation())
                .set("outcome", result.outcome())
                .set("release", result.leaseAfter() == LeaseAfter.RELEASE)
                .set("owner", fence.owner())
                .set("token", fence.token());
    }

    static Finished answer(WorkflowRow row, Change change) {
        return switch (row.verdict()) {
            case "DONE" -> new Finished.Done(row.after(change.read(), change.next()));
            case "NOT_FOUND" -> new Finished.NotFound();
            case "ALREADY_APPLIED" -> new Finished.AlreadyApplied(row.after(change.read(), change.next()));
            case "TERMINAL" -> new Finished.Terminal(row.actual());
            case "STATUS" -> new Finished.StatusConflict(row.actual());
            case "REVISION" -> new Finished.RevisionConflict(requireNonNull(row.revision()));
            case "HISTORY" -> new Finished.HistoryConflict(requireNonNull(change.breach()));
            case "KEY_NOT_FOUND" -> new Finished.KeyNotFound();
            case "KEY_COMPLETED" -> new Finished.KeyCompleted(requireNonNull(row.keyOutcome()));
            case "KEY_REQUEST", "KEY_WORKFLOW", "KEY_RESERVATION" ->
                new Finished.KeyConflict(Binding.valueOf(row.verdict().substring("KEY_".length())));
            default -> new Finished.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }
}
