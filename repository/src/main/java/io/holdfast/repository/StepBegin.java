package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.step.Begun;
import io.holdfast.step.Step;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The beginning of a step: the lease renewed and the key reserved, or neither. */
final class StepBegin {

    private StepBegin() {}

    private record BeginRow(
            String verdict,
            @Nullable Long reservation,
            @Nullable String outcome,
            @Nullable Long ttlMs,
            @Nullable Instant grantedAt,
            @Nullable Instant expiresAt,
            @Nullable Long remainingMicros) {

        boolean isAnswer() {
            return !verdict.equals("AGAIN");
        }

        KeyClaim claim(Step step) {
            return new KeyClaim(step.key(), step.workflowId(), requireNonNull(reservation));
        }

        Lease lease(Step step, Fence fence) {
            return new LeaseRow(verdict, fence.owner(), fence.token(), ttlMs, grantedAt, expiresAt, remainingMicros)
                    .lease(LeaseKey.ofWorkflow(step.workflowId()));
        }
    }

    /**
     * A lease and a key that the lease's own row and the key's own decide on: a beginning, a repeat, a conflict, a lost lease.
     * Nothing comes back, or "again", and nothing is written, where that is not enough: there is no lease, the key has
     * expired, or a rival was first. Then {@link #BEGIN_IN_FULL} finds out.
     */
    private static final Statement<BeginRow> BEGIN = Statement.returning(BeginRow.class, """
            with {patience},
            seen as materialized (
              select i.expires_at <= clock_timestamp() as over from {idempotency_key} i where i.scope = :scope and i.key = :key),
            held as materialized (   -- not for a key that has expired: another lease may have to be locked before this one
              select x.owner, x.token, x.expires_at from {lease} x, patience
               where not exists (select from seen s where s.over) and x.scope = :scope and x.kind = 'workflow' and x.id = :workflow
                 for no key update of x),
            fenced as materialized (   -- the row of held has been locked by now
              select h.expires_at, clock_timestamp() as at, case
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= clock_timestamp() then 'LOST_EXPIRED'
                when exists (select from seen) then 'KNOWN'
                else 'NEW' end as verdict
                from held h),
            fresh as (   -- numbered by the clock, beyond any former row of this key: no claim on a removed one fits
              insert into {idempotency_key} as i (scope, key, reservation, request_id, workflow_id, status, keep_ms, expires_at)
              select :scope, :key, cast(extract(epoch from f.at) * 1000000 as bigint), :request, :workflow, 'reserved',
                     cast(:keep as bigint), f.at + cast(:keep as bigint) * interval '1 millisecond'
                from fenced f where f.verdict = 'NEW'
              on conflict (scope, key) do nothing
              returning i.reservation),
            stored as materialized (   -- looked at again behind the lock: it may have been completed while we waited
              select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at
                from {idempotency_key} i, fenced f
               where f.verdict = 'KNOWN' and i.scope = :scope and i.key = :key
                 for no key update of i),
            judged as materialized (
              select coalesce(n.reservation, t.reservation) as reservation, t.outcome, case
                when n.reservation is not null or f.verdict not in ('NEW', 'KNOWN') then f.verdict
                when f.expires_at <= clock_timestamp() then 'LOST_EXPIRED'   -- while the key was waited for
                when t.reservation is null or t.expires_at <= clock_timestamp() then 'AGAIN'
                when t.request_id <> :request then 'REQUEST'
                when t.workflow_id <> :workflow then 'WORKFLOW'
                when t.status = 'completed' then 'COMPLETED'
                else 'RESUMED' end as verdict
                from fenced f left join fresh n on true left join stored t on true),
            renewed as (   -- only with the key
              update {lease} x set expires_at = greatest(x.expires_at, clock_timestamp() + x.ttl_ms * interval '1 millisecond')
                from judged j
               where j.verdict in ('NEW', 'COMPLETED', 'RESUMED') and x.scope = :scope and x.kind = 'workflow' and x.id = :workflow
              returning x.ttl_ms, x.granted_at, x.expires_at)
            select j.verdict, j.reservation, j.outcome, r.ttl_ms, r.granted_at, r.expires_at,
                   cast(extract(epoch from r.expires_at - clock_timestamp()) * 1000000 as bigint) as remaining_micros
              from judged j left join renewed r on true
            """);

    private static final Statement<BeginRow> BEGIN_IN_FULL = Statement.returning(BeginRow.class, """
            with {patience},
            seen as materialized (
              select i.reservation, i.workflow_id, i.expires_at, i.status = 'reserved' and i.expires_at <= clock_timestamp() as lapsing
                from {idempotency_key} i where i.scope = :scope and i.key = :key),
            kept as materialized (   -- another workflow is at work on a key that expired: it does not lapse, and is not disturbed
              select from {lease} x, seen s
               where s.lapsing and s.workflow_id <> :workflow and x.scope = :scope and x.kind = 'workflow' and x.id = s.workflow_id
                 and x.owner is not null and x.expires_at > clock_timestamp() and x.granted_at < s.expires_at),
            held as materialized (   -- our lease, and the one that is relied on to be dead: in the order of keys
              select x.id, x.owner, x.token, x.granted_at, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'workflow' and x.id = any (array[cast(:workflow as text),
                     (select s.workflow_id from seen s where s.lapsing and not exists (select from kept))])
               order by x.id for no key update of x),
            stored as materialized (   -- looked at again behind the lock: it may have been completed while we waited
              select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at
                from {idempotency_key} i, (select count(*) from held) first, (select count(*) from patience) second
               where i.scope = :scope and i.key = :key for no key update of i),
            moment as materialized (   -- behind each lock by name: where there is no key, a join to it forces nothing
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second),
            facts as materialized (
              select m.at, h.owner, h.token, h.expires_at, t.reservation, t.request_id, t.workflow_id, t.status, t.outcome,
                     coalesce(t.expires_at <= m.at, false) as over,
                     t.workflow_id = :workflow or s.lapsing and s.reservation = t.reservation as looked_at,
                     case when t.workflow_id = :workflow then h.granted_at < t.expires_at
                          else exists (select from kept)
                            or o.owner is not null and o.expires_at > m.at and o.granted_at < t.expires_at end as at_work
                from moment m left join held h on h.id = :workflow left join held o on o.id <> :workflow
                     left join seen s on true left join stored t on true),
            judged as materialized (
              select f.at, f.reservation, f.outcome, case
                when f.owner is null then 'LOST_NONE'
                when f.owner <> :owner or f.token <> :token then 'LOST_SUPERSEDED'
                when f.expires_at <= f.at then 'LOST_EXPIRED'
                when f.reservation is null then 'NEW'
                when f.over and f.status = 'completed' then 'LAPSED'
                when f.over and f.looked_at is not true then 'AGAIN'
                when f.over and f.at_work is not true then 'LAPSED'
                when f.request_id <> :request then 'REQUEST'
                when f.workflow_id <> :workflow then 'WORKFLOW'
                when f.status = 'completed' then 'COMPLETED'
                else 'RESUMED' end as verdict
                from facts f),
            fresh as (   -- numbered by the clock, beyond any former row of this key: no claim on a removed one fits
              insert into {idempotency_key} as i (scope, key, reservation, request_id, workflow_id, status, keep_ms, expires_at)
              select :scope, :key, cast(extract(epoch from j.at) * 1000000 as bigint), :request, :workflow, 'reserved',
                     cast(:keep as bigint), j.at + cast(:keep as bigint) * interval '1 millisecond'
                from judged j where j.verdict = 'NEW'
              on conflict (scope, key) do nothing
              returning i.reservation),
            anew as (
              update {idempotency_key} i set reservation = i.reservation + 1, request_id = :request, workflow_id = :workflow,
                     status = 'reserved', outcome = null, keep_ms = cast(:keep as bigint), created_at = j.at, updated_at = j.at,
                     expires_at = j.at + cast(:keep as bigint) * interval '1 millisecond'
                from judged j where j.verdict = 'LAPSED' and i.scope = :scope and i.key = :key
              returning i.reservation),
            reserved as (select * from fresh union all select * from anew),
            renewed as (   -- nothing without the key: a rival's insert that came first leaves the lease as it was
              update {lease} x set expires_at = greatest(x.expires_at, clock_timestamp() + x.ttl_ms * interval '1 millisecond')
                from judged j
               where x.scope = :scope and x.kind = 'workflow' and x.id = :workflow
                 and (j.verdict in ('COMPLETED', 'RESUMED') or exists (select from reserved))
              returning x.ttl_ms, x.granted_at, x.expires_at)
            select case when r.reservation is not null then 'NEW'
                        when j.verdict = 'NEW' then 'AGAIN' else j.verdict end as verdict,
                   coalesce(r.reservation, j.reservation) as reservation, j.outcome, n.ttl_ms, n.granted_at, n.expires_at,
                   cast(extract(epoch from n.expires_at - clock_timestamp()) * 1000000 as bigint) as remaining_micros
              from judged j left join reserved r on true left join renewed n on true
            """);

    static Begun run(Transactions transactions, Scope scope, Step step, Fence fence) {
        return Again.until(
                "step.begin",
                () -> answer(
                        transactions.single(
                                "step.begin",
                                Effect.WRITE,
                                s -> given(s.call(BEGIN), scope, step, fence)
                                        .first()
                                        .filter(BeginRow::isAnswer)
                                        .orElseGet(() -> given(s.call(BEGIN_IN_FULL), scope, step, fence)
                                                .row())),
                        step,
                        fence));
    }

    private static Call<BeginRow> given(Call<BeginRow> call, Scope scope, Step step, Fence fence) {
        return call.set("scope", scope.id())
                .set("workflow", step.workflowId())
                .set("key", step.key())
                .set("request", step.requestId())
                .set("keep", step.keepFor().millis())
                .set("owner", fence.owner())
                .set("token", fence.token());
    }

    /** Empty for "again". */
    private static Optional<Begun> answer(BeginRow row, Step step, Fence fence) {
        return switch (row.verdict()) {
            case "AGAIN" -> Optional.empty();
            case "NEW" -> Optional.of(new Begun.New(row.claim(step), row.lease(step, fence)));
            case "RESUMED" -> Optional.of(new Begun.Resumed(row.claim(step), row.lease(step, fence)));
            case "COMPLETED" -> Optional.of(new Begun.Completed(requireNonNull(row.outcome()), row.lease(step, fence)));
            case "REQUEST", "WORKFLOW" -> Optional.of(new Begun.Conflict(Binding.valueOf(row.verdict())));
            default -> Optional.of(new Begun.Lost(LeaseRow.loss(row.verdict())));
        };
    }
}
