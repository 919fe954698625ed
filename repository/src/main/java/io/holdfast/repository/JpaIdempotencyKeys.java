package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Transactions.Effect;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Idempotency keys in table {@code idempotency_key}. One statement each; the guard is in the statement. */
final class JpaIdempotencyKeys implements IdempotencyKeys {

    private final Transactions transactions;
    private final Scope scope;

    JpaIdempotencyKeys(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private static final Statement<KeyRow> RESERVE = Statement.returning(KeyRow.class, """
            with {patience},
            seen as materialized (
              select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.created_at, i.updated_at, i.expires_at,
                     coalesce(i.expires_at <= clock_timestamp(), false) as lapsing
                from {idempotency_key} i
               where i.scope = :scope and i.key = :key),
            lapsing as materialized (select s.workflow_id, s.expires_at from seen s where s.lapsing and s.status = 'reserved'),
            kept as materialized (   -- its workflow is at work since before it expired: it does not lapse, and nothing is locked
              select from {lease} x   -- by its whole key: joined, all leases of the scope might be read
               where x.scope = :scope and x.kind = 'workflow' and x.id = (select l.workflow_id from lapsing l)
                 and x.owner is not null and x.expires_at > clock_timestamp()
                 and x.granted_at < (select l.expires_at from lapsing l)),
            guard as materialized (   -- relied on to be dead, so locked; and before the key, as everywhere
              select x.owner, x.granted_at, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'workflow' and x.id = (select l.workflow_id from lapsing l)
                 and not exists (select from kept) for no key update of x),
            stored as materialized (   -- only a key that is about to lapse is locked: all else is answered from what was seen
              select i.reservation, i.status, i.expires_at
                from {idempotency_key} i, seen s, (select count(*) from guard) first, (select count(*) from patience) second
               where s.lapsing and not exists (select from kept) and i.scope = :scope and i.key = :key
                 for no key update of i),
            moment as materialized (   -- patience here too: of a new key no row is locked, and its insert may wait
              select clock_timestamp() as at from (select count(*) from stored) first, (select count(*) from patience) second),
            judged as materialized (
              select m.at, case
                when s.reservation is null then 'NEW'
                when s.status not in ('reserved', 'completed') then 'UNKNOWN'   -- a newer release's: not ours to let lapse
                when s.lapsing and not exists (select from kept) and (t.reservation is distinct from s.reservation
                     or t.status <> s.status or t.expires_at is distinct from s.expires_at) then 'AGAIN'
                when s.lapsing and not exists (select from kept) and not (s.status = 'reserved' and g.owner is not null
                     and g.expires_at > m.at and g.granted_at < s.expires_at) then 'LAPSED'
                when s.request_id <> :request then 'REQUEST'
                when s.workflow_id <> :workflow and not :any_workflow then 'WORKFLOW'
                when s.status = 'completed' then 'COMPLETED'
                else 'IN_PROGRESS' end as verdict
                from moment m left join seen s on true left join guard g on true left join stored t on true),
            fresh as (   -- numbered by the clock, beyond any former row of this key: no claim on a removed one fits
              insert into {idempotency_key} as i (scope, key, reservation, request_id, workflow_id, status, keep_ms, expires_at)
              select :scope, :key, cast(extract(epoch from j.at) * 1000000 as bigint), :request, :workflow, 'reserved',
                     cast(:keep as bigint), j.at + cast(:keep as bigint) * interval '1 millisecond'
                from judged j where j.verdict = 'NEW'
              on conflict (scope, key) do nothing
              returning i.reservation, i.request_id, i.workflow_id, i.outcome, i.created_at, i.updated_at, i.expires_at),
            anew as (
              update {idempotency_key} i set reservation = i.reservation + 1, request_id = :request, workflow_id = :workflow,
                     status = 'reserved', outcome = null, keep_ms = cast(:keep as bigint), created_at = j.at, updated_at = j.at,
                     expires_at = j.at + cast(:keep as bigint) * interval '1 millisecond'
                from judged j where j.verdict = 'LAPSED' and i.scope = :scope and i.key = :key
              returning i.reservation, i.request_id, i.workflow_id, i.outcome, i.created_at, i.updated_at, i.expires_at),
            answer as (
              select 'NEW' as verdict, n.* from (select * from fresh union all select * from anew) n
              union all
              select j.verdict, s.reservation, s.request_id, s.workflow_id, s.outcome, s.created_at, s.updated_at, s.expires_at
                from judged j, seen s where j.verdict in ('UNKNOWN', 'REQUEST', 'WORKFLOW', 'COMPLETED', 'IN_PROGRESS'))
            select case when a.verdict = 'NEW' and a.expires_at <= clock_timestamp() + cast(:keep as bigint) * interval '0.9 milliseconds'
                             then 'LATE'   -- the insert waited for a rival: part of its time is gone
                        else coalesce(a.verdict, 'AGAIN') end as verdict,   -- nothing at all: a rival's insert came first
                   a.reservation, a.request_id, a.workflow_id, a.outcome, a.created_at, a.updated_at, a.expires_at
              from judged j left join answer a on true
            """);

    @Override
    public Reservation reserve(String key, String requestId, String workflowId, KeepFor keepFor) {
        return reserve(key, requestId, Identifier.ident("workflowId", workflowId), false, keepFor);
    }

    @Override
    public Reservation reserve(String key, String requestId, KeepFor keepFor) {
        String made = "workflow-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        return reserve(key, requestId, made, true, keepFor);
    }

    private Reservation reserve(String key, String requestId, String workflowId, boolean anyWorkflow, KeepFor keepFor) {
        Identifier.key("key", key);
        Identifier.ident("requestId", requestId);
        Given.value("keepFor", keepFor);
        return Again.until("key.reserve", () -> {
            KeyRow row = transactions.single(
                    "key.reserve",
                    Effect.WRITE,
                    s -> s.call(RESERVE)
                            .set("scope", scope.id())
                            .set("key", key)
                            .set("request", requestId)
                            .set("workflow", workflowId)
                            .set("any_workflow", anyWorkflow)
                            .set("keep", keepFor.millis())
                            .row());
            return switch (row.verdict()) {
                case "NEW" -> Optional.of(new Reservation.New(row.key(key)));
                case "LATE" -> fromNowOn(key, row).map(anew -> new Reservation.New(anew.key(key)));
                case "IN_PROGRESS" -> Optional.of(new Reservation.InProgress(row.key(key)));
                case "COMPLETED" -> Optional.of(new Reservation.Completed(row.key(key)));
                case "REQUEST", "WORKFLOW" ->
                    Optional.of(new Reservation.Conflict(Binding.valueOf(row.verdict()), row.key(key)));
                case "UNKNOWN" -> throw KeyRow.unknown(key);
                default -> Optional.empty();
            };
        });
    }

    private static final Statement<KeyRow> FROM_NOW_ON = Statement.returning(KeyRow.class, """
            with {patience},
            stored as materialized (
              select i.reservation, i.status from {idempotency_key} i, (select count(*) from patience) first
               where i.scope = :scope and i.key = :key for no key update of i),
            moment as materialized (select clock_timestamp() as at from (select count(*) from stored) first)
            update {idempotency_key} i set created_at = m.at, updated_at = m.at,
                   expires_at = m.at + i.keep_ms * interval '1 millisecond'
              from stored t, moment m   -- unless it lapsed, and is another's, or somebody has completed it
             where t.reservation = :reservation and t.status = 'reserved' and i.scope = :scope and i.key = :key
            returning 'NEW' as verdict, i.reservation, i.request_id, i.workflow_id, i.outcome, i.created_at, i.updated_at, i.expires_at
            """);

    /** A reservation just made, whose time began before a wait. */
    private Optional<KeyRow> fromNowOn(String key, KeyRow late) {
        return transactions.single(
                "key.reserve",
                Effect.WRITE,
                s -> s.call(FROM_NOW_ON)
                        .set("scope", scope.id())
                        .set("key", key)
                        .set("reservation", late.reservation())
                        .first());
    }

    // One statement for both forms: without an owner no lease is looked at.
    private static final Statement<KeyRow> COMPLETE = Statement.returning(KeyRow.class, """
            with {patience},
            held as materialized (   -- relied on to be held: key share does not stop its heartbeat
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where cast(:owner as text) is not null
                 and x.scope = :scope and x.kind = 'workflow' and x.id = :workflow for key share of x),
            stored as materialized (
              select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.created_at, i.updated_at, i.expires_at
                from {idempotency_key} i, (select count(*) from held) first, (select count(*) from patience) second
               where i.scope = :scope and i.key = :key for no key update of i),
            moment as materialized (select clock_timestamp() as at from (select count(*) from stored) first),
            judged as materialized (
              select m.at, case
                when t.reservation is null then 'NOT_FOUND'
                when t.status = 'completed' and t.workflow_id = :workflow and t.outcome = :outcome then 'SAME'
                when cast(:owner as text) is null then null
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> cast(:token as bigint) then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then case when h.expires_at <= b.since then 'LOST_EXPIRED'
                                                    else 'AGAIN' end end as refusal,   -- renewed, perhaps, while we waited
                case
                when t.workflow_id <> :workflow then 'WORKFLOW'
                when t.reservation <> :reservation then 'RESERVATION'
                when t.status not in ('reserved', 'completed') then 'UNKNOWN'   -- a newer release's: not ours to complete
                when t.status = 'completed' then 'DIFFERENT'
                else 'DONE' end as verdict
                from moment m cross join patience b left join held h on true left join stored t on true),
            done as (   -- completion starts the key's time anew
              update {idempotency_key} i set status = 'completed', outcome = :outcome, updated_at = j.at,
                     expires_at = j.at + i.keep_ms * interval '1 millisecond'
                from judged j where j.refusal is null and j.verdict = 'DONE' and i.scope = :scope and i.key = :key
              returning i.outcome, i.updated_at, i.expires_at)
            select coalesce(j.refusal, j.verdict) as verdict, t.reservation, t.request_id, t.workflow_id,
                   coalesce(d.outcome, t.outcome) as outcome, t.created_at, coalesce(d.updated_at, t.updated_at) as updated_at,
                   case when d.outcome is null then t.expires_at else d.expires_at end as expires_at
              from judged j left join stored t on true left join done d on true
            """);

    @Override
    public Completion complete(KeyClaim claim, String outcome) {
        return complete(claim, outcome, null, null);
    }

    @Override
    public Completion completeFenced(KeyClaim claim, String outcome, Fence fence) {
        Given.value("fence", fence);
        return complete(claim, outcome, fence.owner(), fence.token());
    }

    private Completion complete(KeyClaim claim, String outcome, @Nullable String owner, @Nullable Long token) {
        Given.value("claim", claim);
        Identifier.fingerprint("outcome", outcome);
        KeyRow row = Again.row(
                transactions,
                "key.complete",
                KeyRow::verdict,
                s -> s.call(COMPLETE)
                        .set("scope", scope.id())
                        .set("key", claim.key())
                        .set("workflow", claim.workflowId())
                        .set("reservation", claim.reservation())
                        .set("outcome", outcome)
                        .set("owner", owner)
                        .set("token", token)
                        .row());
        return switch (row.verdict()) {
            case "DONE" -> new Completion.Done(row.key(claim.key()));
            case "SAME" -> new Completion.AlreadyCompleted(row.key(claim.key()), true);
            case "DIFFERENT" -> new Completion.AlreadyCompleted(row.key(claim.key()), false);
            case "NOT_FOUND" -> new Completion.NotFound();
            case "WORKFLOW", "RESERVATION" -> new Completion.Conflict(Binding.valueOf(row.verdict()));
            case "UNKNOWN" -> throw KeyRow.unknown(claim.key());
            default -> new Completion.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }

    private static IdempotencyKey found(KeyRow row, String key) {
        if (row.verdict().equals("UNKNOWN")) {
            throw KeyRow.unknown(key);
        }
        return row.key(key);
    }

    private static final Statement<KeyRow> FIND = Statement.returning(KeyRow.class, """
            select case when i.status in ('reserved', 'completed') then 'FOUND' else 'UNKNOWN' end as verdict, i.reservation,
                   i.request_id, i.workflow_id, i.outcome, i.created_at, i.updated_at, i.expires_at
              from {idempotency_key} i where i.scope = :scope and i.key = :key
            """);

    @Override
    public Optional<IdempotencyKey> find(String key) {
        if (!Identifier.isKey(Given.value("key", key))) {
            return Optional.empty();
        }
        return transactions
                .single(
                        "key.find",
                        Effect.READ,
                        s -> s.call(FIND)
                                .set("scope", scope.id())
                                .set("key", key)
                                .first())
                .map(row -> found(row, key));
    }
}
