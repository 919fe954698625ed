package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Consumption.Obstacle;
import io.holdfast.lease.Fence;

/** The use of an approval, once, by one step. */
final class ApprovalConsume {

    private ApprovalConsume() {}

    private static final Statement<ApprovalRow> CONSUME = Statement.returning(ApprovalRow.class, """
            with {patience},
            seen as materialized (   -- of the same moment as the lease, whose lock does not wait for who renews it or gives it back
              select (select e.revision from {execution} e where e.scope = :scope and e.id = :run) as revision,
                     (select a.ctid from {approval} a where a.scope = :scope and a.id = :id) as place),
            held as materialized (   -- key share: nobody takes the lease over before we commit, and its heartbeat goes on
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'run' and x.id = :run for key share of x),
            entered as materialized (   -- the run, if it has a journal, before its approval: the entry is to follow in this transaction
              select e.revision from {execution} e, (select count(*) from held) first, (select count(*) from patience) second
               where e.scope = :scope and e.id = :run for no key update of e),
            stored as materialized (
              select a.ctid as place, a.id, a.run_id, a.payload, a.digest, a.role, a.status, a.created_at, a.expires_at,
                     a.verdict, a.decided_by, a.decided_as, a.decided_reason, a.answer, a.decided_at, a.consumed_by,
                     a.consumed_token, a.consumed_at, a.withdrawn_by, a.withdrawn_reason, a.withdrawn_at
                from {approval} a, (select count(*) from entered) first, (select count(*) from patience) second
               where a.scope = :scope and a.id = :id for no key update of a),
            moment as materialized (
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second),
            judged as materialized (
              select m.at, case
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
                when r.revision is distinct from s.revision   -- with either the lease may have been given back
                     or t.place is distinct from s.place then 'AGAIN'
                else 'DONE' end as outcome
                from moment m cross join patience b cross join seen s
                left join held h on true left join entered r on true left join stored t on true),
            done as (
              update {approval} a set status = 'consumed', consumed_by = :step, consumed_token = :token, consumed_at = j.at
                from judged j where j.outcome = 'DONE' and a.scope = :scope and a.id = :id
              returning a.status, a.consumed_by, a.consumed_token, a.consumed_at)
            select j.outcome as verdict, t.id, t.run_id, t.payload, t.digest, t.role, coalesce(d.status, t.status) as status,
                   coalesce(t.expires_at <= j.at, false) as expired, t.created_at, t.expires_at,
                   t.verdict as decided, t.decided_by, t.decided_as, t.decided_reason, t.answer, t.decided_at,
                   coalesce(d.consumed_by, t.consumed_by) as consumed_by,
                   coalesce(d.consumed_token, t.consumed_token) as consumed_token,
                   coalesce(d.consumed_at, t.consumed_at) as consumed_at,
                   t.withdrawn_by, t.withdrawn_reason, t.withdrawn_at,
                   cast(null as bigint) as run_revision, cast(null as bigint) as run_events,
                   cast(null as timestamptz) as run_updated_at
              from judged j left join stored t on true left join done d on true
            """);

    static Consumption run(Transactions transactions, Scope scope, ApprovalUse use, Fence fence) {
        return answer(Again.row(
                transactions,
                "approval.consume",
                ApprovalRow::verdict,
                s -> s.call(CONSUME)
                        .set("scope", scope.id())
                        .set("id", use.approval())
                        .set("run", use.run())
                        .set("digest", use.digest())
                        .set("step", use.step().text())
                        .set("owner", fence.owner())
                        .set("token", fence.token())
                        .row()));
    }

    static Consumption answer(ApprovalRow row) {
        return switch (row.verdict()) {
            case "DONE" -> new Consumption.Consumed(row.approval());
            case "DISPATCHED" -> new Consumption.Dispatched(row.approval(), row.run());
            case "SAME" -> new Consumption.AlreadyConsumed(row.approval(), true);
            case "CONSUMED" -> new Consumption.AlreadyConsumed(row.approval(), false);
            case "MISMATCH" -> new Consumption.Mismatch();
            case "UNDECIDED" -> new Consumption.Undecided(row.approval());
            case "REJECTED" -> new Consumption.Rejected(row.approval());
            case "EXPIRED" -> new Consumption.Expired(row.approval());
            case "WITHDRAWN" -> new Consumption.Withdrawn(row.approval());
            case "NOT_FOUND" -> new Consumption.NotFound();
            case "NO_RUN", "RUN_ENDED", "RUN_NEWER", "STEP_TAKEN", "KEY_TAKEN" ->
                new Consumption.NotEntered(Obstacle.valueOf(row.verdict()));
            default -> new Consumption.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }
}
