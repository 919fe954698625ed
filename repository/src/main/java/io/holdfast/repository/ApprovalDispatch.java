package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.codec.Canonical;
import io.holdfast.journal.EffectId;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Statements.Call;
import java.util.Map;

/** The use of an approval together with the journal's entry of the call: both, or neither. */
final class ApprovalDispatch {

    private ApprovalDispatch() {}

    // A step and a key are looked for as the first of a range of one, in the order of the whole index that has it, and
    // from a scope that the planner cannot guess to be small: by "=" it takes any index that begins with the scope or
    // the run for as good, and reads all that the run has done.
    private static final Statement<ApprovalRow> DISPATCH = Statement.returning(ApprovalRow.class, """
            with {patience},
            seen as materialized (   -- of the same moment as the lease, whose lock does not wait for who renews it or gives it back
              select (select e.revision from {execution} e where e.scope = :scope and e.id = :run) as revision,
                     (select a.ctid from {approval} a where a.scope = :scope and a.id = :id) as place),
            held as materialized (   -- key share: nobody takes the lease over before we commit, and its heartbeat goes on
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'run' and x.id = :run for key share of x),
            entered as materialized (   -- the run before its approval: the order is the same everywhere
              select e.status, e.journal_version, e.revision, e.steps, e.effects, e.events, e.updated_at
                from {execution} e, (select count(*) from held) first, (select count(*) from patience) second
               where e.scope = :scope and e.id = :run for no key update of e),
            stored as materialized (
              select a.ctid as place, a.id, a.run_id, a.payload, a.digest, a.role, a.status, a.created_at, a.expires_at,
                     a.verdict, a.decided_by, a.decided_as, a.decided_reason, a.answer, a.decided_at, a.consumed_by,
                     a.consumed_token, a.consumed_at, a.withdrawn_by, a.withdrawn_reason, a.withdrawn_at
                from {approval} a, (select count(*) from entered) first, (select count(*) from patience) second
               where a.scope = :scope and a.id = :id for no key update of a),
            moment as materialized (
              select clock_timestamp() as at
                from (select count(*) from held) first, (select count(*) from entered) second,
                     (select count(*) from stored) third),
            judged as materialized (
              select m.at, greatest(m.at, r.updated_at) as noted_at, case
                when t.id is null then 'NOT_FOUND'
                when t.consumed_by = :step and t.run_id = :run and t.digest = :digest then 'SAME'   -- whatever the fence says
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then case when h.expires_at <= b.since then 'LOST_EXPIRED'
                                                    else 'AGAIN' end   -- it may have been renewed while we waited
                when t.run_id <> :run or t.digest <> :digest then 'MISMATCH'
                when t.status = 'consumed' then 'CONSUMED'
                when t.status = 'withdrawn' then 'WITHDRAWN'
                when t.status = 'rejected' then 'REJECTED'
                when t.status <> 'approved' then 'UNDECIDED'   -- so that what a newer release calls it is no approval
                when t.expires_at <= m.at then 'EXPIRED'
                when r.status is null then 'NO_RUN'
                when r.journal_version > 1
                     or r.status not in ('running', 'interrupted', 'paused', 'completed', 'failed') then 'RUN_NEWER'
                when r.status in ('completed', 'failed') then 'RUN_ENDED'
                when r.revision is distinct from s.revision   -- its steps are newer than what is seen of them, and the lease
                     or t.place is distinct from s.place then 'AGAIN'   -- may have been given back with either
                when (select true from {execution_step} p
                       where (p.scope, p.run_id, p.step_key)
                             between ((select :scope), :run, :step) and ((select :scope), :run, :step)
                       order by p.scope, p.run_id, p.step_key limit 1) then 'STEP_TAKEN'
                when (select true from {execution_effect} f
                       where (f.scope, f.idempotency_key) between ((select :scope), :key) and ((select :scope), :key)
                       order by f.scope, f.idempotency_key limit 1) then 'KEY_TAKEN'
                else 'DONE' end as outcome
                from moment m cross join patience b cross join seen s
                left join held h on true left join entered r on true left join stored t on true),
            sent as (   -- first what can meet a rival: another run's effect under the same key. Without it nothing is written
              insert into {execution_effect} as f (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key,
                     status, created_at, updated_at)
              select :scope, :run, r.effects + 1, :step, 0, :effect, :key, 'pending', j.noted_at, j.noted_at
                from judged j, entered r where j.outcome = 'DONE'
              on conflict do nothing
              returning f.created_at),
            meant as (
              insert into {execution_step} (scope, run_id, ordinal, step_key, payload_digest, idempotency_key, effect_class,
                     approval_id, reservations, intended_at)
              select :scope, :run, r.steps + 1, :step, :digest, :key, :class, :id, '[]', f.created_at from sent f, entered r),
            told as (
              insert into {execution_event} (scope, run_id, sequence, type, payload, at)
              select :scope, :run, r.events + 1, 'approval_consumed', :event, f.created_at from sent f, entered r),
            moved as (
              update {execution} e set status = 'running', watched = true, revision = e.revision + 1, steps = e.steps + 1,
                     effects = e.effects + 1, events = e.events + 1, last_commit = null, updated_at = f.created_at
                from sent f where e.scope = :scope and e.id = :run
              returning e.revision, e.events, e.updated_at),
            done as (
              update {approval} a set status = 'consumed', consumed_by = :step, consumed_token = :token,
                     consumed_at = f.created_at
                from sent f where a.scope = :scope and a.id = :id
              returning a.status, a.consumed_by, a.consumed_token, a.consumed_at)
            select case when d.status is not null then 'DISPATCHED' when j.outcome = 'DONE' then 'AGAIN' else j.outcome end as verdict,
                   t.id, t.run_id, t.payload, t.digest, t.role, coalesce(d.status, t.status) as status,
                   coalesce(t.expires_at <= j.at, false) as expired, t.created_at, t.expires_at,
                   t.verdict as decided, t.decided_by, t.decided_as, t.decided_reason, t.answer, t.decided_at,
                   coalesce(d.consumed_by, t.consumed_by) as consumed_by,
                   coalesce(d.consumed_token, t.consumed_token) as consumed_token,
                   coalesce(d.consumed_at, t.consumed_at) as consumed_at,
                   t.withdrawn_by, t.withdrawn_reason, t.withdrawn_at,
                   m.revision as run_revision, m.events as run_events, m.updated_at as run_updated_at
              from judged j left join stored t on true left join done d on true left join moved m on true
            """);

    static Consumption run(Transactions transactions, Scope scope, ApprovedCall call, Fence fence) {
        return ApprovalConsume.answer(Again.row(
                transactions,
                "approval.dispatch",
                ApprovalRow::verdict,
                s -> given(s.call(DISPATCH), scope, call)
                        .set("owner", fence.owner())
                        .set("token", fence.token())
                        .row()));
    }

    private static Call<ApprovalRow> given(Call<ApprovalRow> statement, Scope scope, ApprovedCall call) {
        ApprovalUse use = call.use();
        EffectId effect = EffectId.of(scope, use.run(), use.step(), 0);
        return statement
                .set("scope", scope.id())
                .set("id", use.approval())
                .set("run", use.run())
                .set("digest", use.digest())
                .set("step", use.step().text())
                .set("effect", effect.hex())
                .set("key", call.idempotencyKey().orElseGet(effect::idempotencyKey))
                .set("class", call.effectClass().wire())
                .set("event", event(use));
    }

    private static String event(ApprovalUse use) {
        return Canonical.write(
                "event",
                Map.of(
                        "type", "approval_consumed",
                        "approval_id", use.approval(),
                        "step_key", use.step().text()));
    }
}
