package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Registration.Term;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import java.time.Instant;
import java.util.Optional;

/** The beginning of an approval. */
final class ApprovalRegister {

    private static final String OPERATION = "approval.register";

    private ApprovalRegister() {}

    // Nothing at all comes back if a rival's insert was waited for: too new for this snapshot to be seen.
    private static final Statement<ApprovalRow> REGISTER = Statement.returning(ApprovalRow.class, """
            with {patience},
            given as materialized (
              select clock_timestamp() as at, cast(:payload as text) as payload, cast(:role as text) as role,
                     cast(:valid as bigint) as valid_ms, cast(:until as timestamptz) as until from patience),
            fresh as (
              insert into {approval} as a (scope, id, run_id, payload, digest, role, status, created_at, valid_ms, expires_at)
              select :scope, :id, :run, g.payload, :digest, g.role, 'pending', g.at, g.valid_ms,
                     coalesce(g.until, g.at + g.valid_ms * interval '1 millisecond')
                from given g
              on conflict (scope, id) do nothing
              returning a.created_at, a.expires_at)
            select case when f.expires_at <= clock_timestamp() + g.valid_ms * interval '0.9 milliseconds'
                             then 'LATE'   -- the insert waited for a rival: part of its time is gone
                        else 'REGISTERED' end as verdict, :id as id, :run as run_id, g.payload, :digest as digest, g.role,
                   'pending' as status, coalesce(f.expires_at <= clock_timestamp(), false) as expired, f.created_at, f.expires_at,
                   cast(null as text) as decided, cast(null as text) as decided_by, cast(null as text) as decided_as,
                   cast(null as text) as decided_reason, cast(null as text) as answer,
                   cast(null as timestamptz) as decided_at, cast(null as text) as consumed_by,
                   cast(null as bigint) as consumed_token, cast(null as timestamptz) as consumed_at,
                   cast(null as text) as withdrawn_by, cast(null as text) as withdrawn_reason,
                   cast(null as timestamptz) as withdrawn_at,
                   cast(null as bigint) as run_revision, cast(null as bigint) as run_events,
                   cast(null as timestamptz) as run_updated_at
              from fresh f, given g
            union all
            select case
                when t.run_id <> :run then 'RUN'
                when t.digest <> :digest then 'PAYLOAD'
                when t.role is distinct from g.role then 'ROLE'
                when t.valid_ms is distinct from g.valid_ms then 'EXPIRY'
                when g.valid_ms is null and t.expires_at is distinct from g.until then 'EXPIRY'
                else 'SAME' end,
                   t.id, t.run_id, t.payload, t.digest, t.role, t.status,
                   coalesce(t.expires_at <= clock_timestamp(), false), t.created_at, t.expires_at,
                   t.verdict, t.decided_by, t.decided_as, t.decided_reason, t.answer, t.decided_at,
                   t.consumed_by, t.consumed_token, t.consumed_at, t.withdrawn_by, t.withdrawn_reason, t.withdrawn_at,
                   null, null, null
              from {approval} t, given g where t.scope = :scope and t.id = :id and not exists (select from fresh)
            """);

    // Looked for by its key alone: with its status an index of whole lists would do, too.
    private static final Statement<ApprovalRow> FROM_NOW_ON = Statement.returning(ApprovalRow.class, """
            with {patience},
            stored as materialized (
              select a.status, a.created_at from {approval} a, (select count(*) from patience) first
               where a.scope = :scope and a.id = :id for no key update of a),
            moment as materialized (select clock_timestamp() as at from (select count(*) from stored) first)
            update {approval} a set created_at = m.at, expires_at = m.at + a.valid_ms * interval '1 millisecond'
              from stored t, moment m   -- unless somebody has decided it, or it was removed and is another
             where t.status = 'pending' and t.created_at = cast(:created as timestamptz) and a.scope = :scope and a.id = :id
            returning 'ANEW' as verdict, a.id, a.run_id, a.payload, a.digest, a.role, a.status, false as expired,
                   a.created_at, a.expires_at, a.verdict as decided, a.decided_by, a.decided_as, a.decided_reason, a.answer,
                   a.decided_at, a.consumed_by, a.consumed_token, a.consumed_at, a.withdrawn_by, a.withdrawn_reason, a.withdrawn_at,
                   cast(null as bigint) as run_revision, cast(null as bigint) as run_events,
                   cast(null as timestamptz) as run_updated_at
            """);

    static Registration run(Transactions transactions, Scope scope, ApprovalRequest request) {
        return Again.until(
                OPERATION,
                () -> transactions
                        .single(
                                OPERATION,
                                Effect.WRITE,
                                s -> given(s.call(REGISTER), request)
                                        .set("scope", scope.id())
                                        .first())
                        .flatMap(row -> row.verdict().equals("LATE")
                                ? fromNowOn(transactions, scope, row)
                                : Optional.of(answer(row))));
    }

    /** One just registered, whose time began before a wait. */
    private static Optional<Registration> fromNowOn(Transactions transactions, Scope scope, ApprovalRow late) {
        return transactions
                .single(
                        OPERATION,
                        Effect.WRITE,
                        s -> s.call(FROM_NOW_ON)
                                .set("scope", scope.id())
                                .set("id", requireNonNull(late.id()))
                                .set("created", requireNonNull(late.createdAt()).toString())
                                .first())
                .map(row -> new Registration.Registered(row.approval()));
    }

    private static Call<ApprovalRow> given(Call<ApprovalRow> call, ApprovalRequest request) {
        return call.set("id", request.id())
                .set("run", request.run())
                .set("payload", request.payload())
                .set("digest", request.digest())
                .set("role", request.role().orElse(null))
                .set("valid", request.expiry().millis())
                .set("until", request.expiry().at().map(Instant::toString).orElse(null));
    }

    private static Registration answer(ApprovalRow row) {
        return switch (row.verdict()) {
            case "REGISTERED" -> new Registration.Registered(row.approval());
            case "SAME" -> new Registration.AlreadyRegistered(row.approval());
            default -> new Registration.Taken(Term.valueOf(row.verdict()));
        };
    }
}
