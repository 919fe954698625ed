package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalPage.Place;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Prose;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Transactions.Effect;
import java.util.List;
import java.util.Optional;

/** Approvals in table {@code approval}. One statement each; the guard is in the statement. */
final class JpaApprovals implements Approvals {

    private final Transactions transactions;
    private final Scope scope;

    JpaApprovals(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    @Override
    public Registration register(ApprovalRequest request) {
        return ApprovalRegister.run(transactions, scope, Given.value("request", request));
    }

    private static final Statement<ApprovalRow> FIND = Statement.returning(ApprovalRow.class, """
            select 'FOUND' as verdict, t.id, t.run_id, t.payload, t.digest, t.role, t.status,
                   coalesce(t.expires_at <= clock_timestamp(), false) as expired, t.created_at, t.expires_at,
                   t.verdict as decided, t.decided_by, t.decided_as, t.decided_reason, t.answer, t.decided_at,
                   t.consumed_by, t.consumed_token, t.consumed_at, t.withdrawn_by, t.withdrawn_reason, t.withdrawn_at,
                   cast(null as bigint) as run_revision, cast(null as bigint) as run_events,
                   cast(null as timestamptz) as run_updated_at
              from {approval} t where t.scope = :scope and t.id = :id
            """);

    @Override
    public Optional<Approval> find(String id) {
        if (isNone(id)) {
            return Optional.empty();
        }
        return transactions
                .single(
                        "approval.find",
                        Effect.READ,
                        s -> s.call(FIND).set("scope", scope.id()).set("id", id).first())
                .map(ApprovalRow::approval);
    }

    private static boolean isNone(String id) {
        return !Identifier.isText(Given.value("id", id), 1, ApprovalRequest.MAX_ID_BYTES);
    }

    private static final Statement<ApprovalRow> DECIDE = Statement.returning(ApprovalRow.class, """
            with {patience},
            stored as materialized (
              select a.id, a.run_id, a.payload, a.digest, a.role, a.status, a.created_at, a.expires_at, a.verdict, a.decided_by,
                     a.decided_as, a.decided_reason, a.answer, a.decided_at, a.consumed_by, a.consumed_token, a.consumed_at,
                     a.withdrawn_by, a.withdrawn_reason, a.withdrawn_at
                from {approval} a, (select count(*) from patience) first
               where a.scope = :scope and a.id = :id for no key update of a),
            moment as materialized (select clock_timestamp() as at from (select count(*) from stored) first),
            judged as materialized (
              select m.at, case
                when t.id is null then 'NOT_FOUND'
                when t.verdict = :decided and t.digest = :digest and t.decided_by = :by
                     and t.decided_as is not distinct from cast(:as_role as text) and t.decided_reason = :reason
                     and t.answer is not distinct from cast(:answer as text) then 'SAME'
                when t.digest <> :digest then 'MISMATCH'
                when t.verdict is not null then 'DECIDED'
                when t.status = 'withdrawn' then 'WITHDRAWN'
                when t.status <> 'pending' then 'DECIDED'   -- or what a newer release calls it, which is not written over
                when t.role <> coalesce(cast(:as_role as text), '') then 'ROLE'
                when t.expires_at <= m.at then 'EXPIRED'
                else 'DONE' end as outcome
                from moment m left join stored t on true),
            done as (   -- the decision and what follows from it in one write: a crash has nothing to tell apart
              update {approval} a set status = :decided, verdict = :decided, decided_by = :by,
                     decided_as = cast(:as_role as text), decided_reason = :reason, answer = cast(:answer as text),
                     decided_at = j.at, heard = false   -- also of a run that has ended: what is left of it may wait
                from judged j where j.outcome = 'DONE' and a.scope = :scope and a.id = :id
              returning a.status, a.verdict, a.decided_by, a.decided_as, a.decided_reason, a.answer, a.decided_at)
            select j.outcome as verdict, t.id, t.run_id, t.payload, t.digest, t.role, coalesce(d.status, t.status) as status,
                   coalesce(t.expires_at <= j.at, false) as expired, t.created_at, t.expires_at,
                   coalesce(d.verdict, t.verdict) as decided, coalesce(d.decided_by, t.decided_by) as decided_by,
                   coalesce(d.decided_as, t.decided_as) as decided_as,
                   coalesce(d.decided_reason, t.decided_reason) as decided_reason, coalesce(d.answer, t.answer) as answer,
                   coalesce(d.decided_at, t.decided_at) as decided_at, t.consumed_by, t.consumed_token, t.consumed_at,
                   t.withdrawn_by, t.withdrawn_reason, t.withdrawn_at,
                   cast(null as bigint) as run_revision, cast(null as bigint) as run_events,
                   cast(null as timestamptz) as run_updated_at
              from judged j left join stored t on true left join done d on true
            """);

    @Override
    public Ruling decide(String id, Decision decision) {
        Given.value("decision", decision);
        if (isNone(id)) {
            return new Ruling.NotFound();
        }
        ApprovalRow row = transactions.single(
                "approval.decide",
                Effect.WRITE,
                s -> s.call(DECIDE)
                        .set("scope", scope.id())
                        .set("id", id)
                        .set("decided", decision.verdict().wire())
                        .set("digest", decision.digest())
                        .set("by", decision.actor())
                        .set("as_role", decision.role().orElse(null))
                        .set("reason", decision.reason())
                        .set("answer", decision.answer().orElse(null))
                        .row());
        return switch (row.verdict()) {
            case "DONE" -> new Ruling.Decided(row.approval());
            case "SAME" -> new Ruling.AlreadyDecided(row.approval(), true);
            case "DECIDED" -> new Ruling.AlreadyDecided(row.approval(), false);
            case "MISMATCH" -> new Ruling.Mismatch();
            case "ROLE" -> new Ruling.WrongRole(requireNonNull(row.role()));
            case "EXPIRED" -> new Ruling.Expired(row.approval());
            case "WITHDRAWN" -> new Ruling.Withdrawn(row.approval());
            default -> new Ruling.NotFound();
        };
    }

    @Override
    public Consumption dispatch(ApprovedCall call, Fence fence) {
        return ApprovalDispatch.run(transactions, scope, Given.value("call", call), Given.value("fence", fence));
    }

    @Override
    public Consumption consume(ApprovalUse use, Fence fence) {
        return ApprovalConsume.run(transactions, scope, Given.value("use", use), Given.value("fence", fence));
    }

    private static final Statement<ApprovalRow> WITHDRAW = Statement.returning(ApprovalRow.class, """
            with {patience},
            stored as materialized (
              select a.id, a.run_id, a.payload, a.digest, a.role, a.status, a.created_at, a.expires_at, a.verdict, a.decided_by,
                     a.decided_as, a.decided_reason, a.answer, a.decided_at, a.consumed_by, a.consumed_token, a.consumed_at,
                     a.withdrawn_by, a.withdrawn_reason, a.withdrawn_at
                from {approval} a, (select count(*) from patience) first
               where a.scope = :scope and a.id = :id for no key update of a),
            moment as materialized (select clock_timestamp() as at from (select count(*) from stored) first),
            judged as materialized (
              select m.at, case when t.id is null then 'NOT_FOUND'
                                when t.status = 'withdrawn' then 'ALREADY'
                                when t.status not in ('pending', 'approved') then 'SETTLED'   -- or what a newer release calls it
                                else 'DONE' end as outcome
                from moment m left join stored t on true),
            done as (
              update {approval} a set status = 'withdrawn', withdrawn_by = :by, withdrawn_reason = :reason, withdrawn_at = j.at,
                     heard = false   -- what was approved, and heard, is not any more
                from judged j where j.outcome = 'DONE' and a.scope = :scope and a.id = :id
              returning a.status, a.withdrawn_by, a.withdrawn_reason, a.withdrawn_at)
            select j.outcome as verdict, t.id, t.run_id, t.payload, t.digest, t.role, coalesce(d.status, t.status) as status,
                   coalesce(t.expires_at <= j.at, false) as expired, t.created_at, t.expires_at,
                   t.verdict as decided, t.decided_by, t.decided_as, t.decided_reason, t.answer, t.decided_at,
                   t.consumed_by, t.consumed_token, t.consumed_at, coalesce(d.withdrawn_by, t.withdrawn_by) as withdrawn_by,
                   coalesce(d.withdrawn_reason, t.withdrawn_reason) as withdrawn_reason,
                   coalesce(d.withdrawn_at, t.withdrawn_at) as withdrawn_at,
                   cast(null as bigint) as run_revision, cast(null as bigint) as run_events,
                   cast(null as timestamptz) as run_updated_at
              from judged j left join stored t on true left join done d on true
            """);

    @Override
    public Withdrawal withdraw(String id, String by, String reason) {
        Identifier.text("by", by, 1, ApprovalRequest.MAX_NAME_BYTES);
        String kept = Prose.cut(Given.value("reason", reason), Decision.MAX_REASON);
        if (isNone(id)) {
            return new Withdrawal.NotFound();
        }
        ApprovalRow row = transactions.single(
                "approval.withdraw",
                Effect.WRITE,
                s -> s.call(WITHDRAW)
                        .set("scope", scope.id())
                        .set("id", id)
                        .set("by", by)
                        .set("reason", kept)
                        .row());
        return switch (row.verdict()) {
            case "DONE" -> new Withdrawal.Withdrawn(row.approval());
            case "ALREADY" -> new Withdrawal.AlreadyWithdrawn(row.approval());
            case "SETTLED" -> new Withdrawal.Settled(row.approval());
            default -> new Withdrawal.NotFound();
        };
    }

    @Override
    public List<ApprovalPage.Line> withdrawExpired(int limit) {
        return ApprovalLists.withdrawExpired(transactions, scope, limit);
    }

    @Override
    public ApprovalPage list(ApprovalState state, Optional<Place> after, int limit) {
        return ApprovalLists.inState(
                transactions, scope, Given.value("state", state), Given.value("after", after), limit);
    }

    @Override
    public ApprovalPage listOfRun(String run, Optional<Place> after, int limit) {
        Identifier.text("run", run, 1, ApprovalRequest.MAX_ID_BYTES);
        return ApprovalLists.ofRun(transactions, scope, run, Given.value("after", after), limit);
    }
}
