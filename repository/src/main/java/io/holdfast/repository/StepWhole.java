package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.Optional;

/** A step without an outside effect: what begins and finishes it, in one statement and one commit. */
final class StepWhole {

    private StepWhole() {}

    /**
     * Where lease and state have their rows, and the key has none, or one that is in force. Nothing comes back, or "again", and
     * nothing is written, where that is not enough; then {@link #STEP_IN_FULL} finds out. See {@link StepBegin} and
     * {@link StepFinish} for the why of each part.
     */
    private static final Statement<WorkflowRow> STEP = Statement.returning(WorkflowRow.class, """
            with {patience},
            given as not materialized (select cast(:snapshot as text) as snapshot),
            seen as materialized (
              select i.expires_at <= clock_timestamp() as over from {idempotency_key} i where i.scope = :scope and i.key = :key),
            held as materialized (
              select x.owner, x.token, x.expires_at from {lease} x, patience
               where not exists (select from seen s where s.over) and x.scope = :scope and x.kind = 'workflow' and x.id = :id
                 for no key update of x),
            stored as materialized (
              select h.owner, h.token, h.expires_at, w.incarnation, w.revision, w.status, w.cancel_requested_at, w.cancel_reason,
                     w.updated_at, w.revision = :revision + 1 and w.snapshot = g.snapshot as same
                from {workflow} w, held h, given g where w.scope = :scope and w.id = :id for no key update of w),
            keyed as materialized (
              select i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at from {idempotency_key} i, stored s
               where exists (select from seen) and i.scope = :scope and i.key = :key for no key update of i),
            judged as materialized (
              select s.*, k.outcome, clock_timestamp() as at, case
                when s.incarnation <> cast(:incarnation as uuid) then 'NOT_FOUND'
                when s.same and k.outcome = :outcome and k.workflow_id = :id then 'ALREADY_APPLIED'
                when s.same and k.workflow_id is null then 'AGAIN'   -- its key may be as new
                when s.owner is null then 'LOST_NONE'
                when s.owner <> :owner or s.token <> :token then 'LOST_SUPERSEDED'
                when s.expires_at <= clock_timestamp() then 'LOST_EXPIRED'
                when s.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
                when s.status <> :was then 'STATUS'
                when s.revision <> :revision then 'REVISION'
                when not :legal then 'HISTORY'
                when not exists (select from seen) then 'NEW'
                when k.workflow_id is null or k.expires_at <= clock_timestamp() then 'AGAIN'
                when k.request_id <> :request then 'KEY_REQUEST'
                when k.workflow_id <> :id then 'KEY_WORKFLOW'
                when k.status = 'completed' then 'KEY_COMPLETED'
                else 'AGAIN' end as verdict
                from stored s left join keyed k on true),
            fresh as (
              insert into {idempotency_key} as i
                     (scope, key, reservation, request_id, workflow_id, status, outcome, keep_ms, expires_at)
              select :scope, :key, cast(extract(epoch from j.at) * 1000000 as bigint), :request, :id, 'completed', :outcome,
                     cast(:keep as bigint), j.at + cast(:keep as bigint) * interval '1 millisecond'
                from judged j where j.verdict = 'NEW'
              on conflict (scope, key) do nothing
              returning i.key),
            moved as (
              update {workflow} w set revision = w.revision + 1, status = :becomes, snapshot = g.snapshot, updated_at = j.at
                from judged j, given g, fresh where w.scope = :scope and w.id = :id
              returning w.revision, w.status, w.updated_at),
            leased as (
              update {lease} x set owner = case when :release then null else x.owner end,
                     expires_at = case when :release then m.updated_at
                       else greatest(x.expires_at, clock_timestamp() + x.ttl_ms * interval '1 millisecond') end
                from moved m where x.scope = :scope and x.kind = 'workflow' and x.id = :id)
            select case when m.revision is not null then 'DONE' when j.verdict = 'NEW' then 'AGAIN' else j.verdict end as verdict,
                   coalesce(m.revision, j.revision) as revision, coalesce(m.status, j.status) as status,
                   j.cancel_requested_at, j.cancel_reason, coalesce(m.updated_at, j.updated_at) as updated_at,
                   j.outcome as key_outcome
              from judged j left join moved m on true
            """);

    // The judgement of the key is that of the beginning, that of the state is that of the end; see there for the why.
    private static final Statement<WorkflowRow> STEP_IN_FULL = Statement.returning(WorkflowRow.class, """
            with {patience},
            given as not materialized (select cast(:snapshot as text) as snapshot),
            seen as materialized (
              select i.reservation, i.workflow_id, i.expires_at, i.status = 'reserved' and i.expires_at <= clock_timestamp() as lapsing
                from {idempotency_key} i where i.scope = :scope and i.key = :key),
            before as materialized (select w.revision from {workflow} w where w.scope = :scope and w.id = :id),
            kept as materialized (
              select from {lease} x, seen s
               where s.lapsing and s.workflow_id <> :id and x.scope = :scope and x.kind = 'workflow' and x.id = s.workflow_id
                 and x.owner is not null and x.expires_at > clock_timestamp() and x.granted_at < s.expires_at),
            held as materialized (
              select x.id, x.owner, x.token, x.granted_at, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'workflow' and x.id = any (array[cast(:id as text),
                     (select s.workflow_id from seen s where s.lapsing and not exists (select from kept))])
               order by x.id for no key update of x),
            stored as materialized (
              select w.incarnation, w.revision, w.status, w.cancel_requested_at, w.cancel_reason, w.updated_at,
                     w.revision = :revision + 1 and w.snapshot = g.snapshot as same
                from {workflow} w, given g, (select count(*) from held) first, (select count(*) from patience) second
               where w.scope = :scope and w.id = :id for no key update of w),
            keyed as materialized (
              select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at
                from {idempotency_key} i, (select count(*) from stored) first, (select count(*) from patience) second
               where i.scope = :scope and i.key = :key for no key update of i),
            moment as materialized (   -- behind each lock by name: where there is no key, a join to it forces nothing
              select clock_timestamp() as at
                from (select count(*) from held) first, (select count(*) from stored) second, (select count(*) from keyed) third),
            facts as materialized (
              select m.at, h.owner, h.token, h.expires_at, t.incarnation, t.revision, t.status, t.same,
                     b.revision as revision_before,
                     k.reservation, k.request_id, k.workflow_id, k.status as key_status, k.outcome,
                     coalesce(k.expires_at <= m.at, false) as over,
                     k.workflow_id = :id or s.lapsing and s.reservation = k.reservation as looked_at,
                     case when k.workflow_id = :id then h.granted_at < k.expires_at
                          else exists (select from kept)
                            or o.owner is not null and o.expires_at > m.at and o.granted_at < k.expires_at end as at_work
                from moment m left join held h on h.id = :id left join held o on o.id <> :id
                     left join stored t on true left join before b on true left join seen s on true
                     left join keyed k on true),
            judged as materialized (
              select f.at, f.outcome, case
                when f.incarnation is null or f.incarnation <> cast(:incarnation as uuid) then 'NOT_FOUND'
                when f.same and f.outcome = :outcome and f.workflow_id = :id then 'ALREADY_APPLIED'
                when f.same and f.reservation is null and f.revision_before <> f.revision then 'AGAIN'   -- its key is as new
                when f.owner is null then 'LOST_NONE'
                when f.owner <> :owner or f.token <> :token then 'LOST_SUPERSEDED'
                when f.expires_at <= f.at then 'LOST_EXPIRED'
                when f.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
                when f.status <> :was then 'STATUS'
                when f.revision <> :revision then 'REVISION'
                when not :legal then 'HISTORY'
                when f.reservation is null then 'NEW'
                when f.over and f.key_status = 'completed' then 'LAPSED'
                when f.over and f.looked_at is not true then 'AGAIN'
                when f.over and f.at_work is not true then 'LAPSED'
                when f.request_id <> :request then 'KEY_REQUEST'
                when f.workflow_id <> :id then 'KEY_WORKFLOW'
                when f.key_status = 'completed' then 'KEY_COMPLETED'
                else 'RESERVED' end as verdict
                from facts f),
            fresh as (   -- numbered by the clock, beyond any former row of this key: no claim on a removed one fits
              insert into {idempotency_key} as i
                     (scope, key, reservation, request_id, workflow_id, status, outcome, keep_ms, expires_at)
              select :scope, :key, cast(extract(epoch from j.at) * 1000000 as bigint), :request, :id, 'completed', :outcome,
                     cast(:keep as bigint), j.at + cast(:keep as bigint) * interval '1 millisecond'
                from judged j where j.verdict = 'NEW'
              on conflict (scope, key) do nothing
              returning i.reservation),
            completed as (
              update {idempotency_key} i set status = 'completed', outcome = :outcome,
                     reservation = i.reservation + case when j.verdict = 'LAPSED' then 1 else 0 end,
                     request_id = :request, workflow_id = :id, keep_ms = cast(:keep as bigint),
                     created_at = case when j.verdict = 'LAPSED' then j.at else i.created_at end, updated_at = j.at,
                     expires_at = j.at + cast(:keep as bigint) * interval '1 millisecond'
                from judged j where j.verdict in ('LAPSED', 'RESERVED') and i.scope = :scope and i.key = :key
              returning i.reservation),
            done as materialized (select * from fresh union all select * from completed),   -- all else depends on it
            moved as (
              update {workflow} w set revision = w.revision + 1, status = :becomes, snapshot = g.snapshot, updated_at = j.at
                from judged j, given g, done d where w.scope = :scope and w.id = :id
              returning w.revision, w.status, w.updated_at),
            leased as (
              update {lease} x set owner = case when :release then null else x.owner end,
                     expires_at = case when :release then j.at
                       else greatest(x.expires_at, clock_timestamp() + x.ttl_ms * interval '1 millisecond') end
                from judged j, done d where x.scope = :scope and x.kind = 'workflow' and x.id = :id)
            select case when n.revision is not null then 'DONE'
                        when j.verdict in ('NEW', 'LAPSED', 'RESERVED') then 'AGAIN' else j.verdict end as verdict,
                   coalesce(n.revision, t.revision) as revision, coalesce(n.status, t.status) as status,
                   t.cancel_requested_at, t.cancel_reason, coalesce(n.updated_at, t.updated_at) as updated_at,
                   j.outcome as key_outcome
              from judged j left join stored t on true left join moved n on true
            """);

    static Finished run(Transactions transactions, Scope scope, Step step, StepResult result, Fence fence) {
        Change change = Change.of(scope, result.read(), result.next());
        return Again.until("step.step", () -> {
            WorkflowRow row = transactions.single(
                    "step.step",
                    Effect.WRITE,
                    s -> given(change.into(s.call(STEP), scope), step, result, fence)
                            .first()
                            .filter(answer -> !answer.verdict().equals("AGAIN"))
                            .orElseGet(() -> given(change.into(s.call(STEP_IN_FULL), scope), step, result, fence)
                                    .row()));
            return row.verdict().equals("AGAIN") ? Optional.empty() : Optional.of(StepFinish.answer(row, change));
        });
    }

    private static Call<WorkflowRow> given(Call<WorkflowRow> call, Step step, StepResult result, Fence fence) {
        return call.set("key", step.key())
                .set("request", step.requestId())
                .set("keep", step.keepFor().millis())
                .set("outcome", result.outcome())
                .set("release", result.leaseAfter() == LeaseAfter.RELEASE)
                .set("owner", fence.owner())
                .set("token", fence.token());
    }
}
