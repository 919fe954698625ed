package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalPage.Line;
import io.holdfast.approval.ApprovalPage.Place;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Approvals;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists of approvals. Each statement walks one index in the order of the answer and stops when the page is full. */
final class ApprovalLists {

    private ApprovalLists() {}

    private record Row(
            String id,
            String runId,
            String digest,
            @Nullable String role,
            String status,
            boolean expired,
            @Nullable String decidedBy,
            Instant createdAt,
            @Nullable Instant expiresAt) {

        Line line() {
            return new Line(
                    id,
                    runId,
                    digest,
                    Optional.ofNullable(role),
                    status,
                    expired,
                    Optional.ofNullable(decidedBy),
                    createdAt,
                    Optional.ofNullable(expiresAt));
        }
    }

    private static final Statement<Row> IN_STATE = Statement.returning(Row.class, """
            select a.id, a.run_id, a.digest, a.role, a.status, coalesce(a.expires_at <= clock_timestamp(), false) as expired,
                   a.decided_by, a.created_at, a.expires_at
              from {approval} a
             where a.scope = :scope and a.status = :status and (a.created_at, a.id) > (cast(:at as timestamptz), :id)
             order by a.created_at, a.id limit :limit
            """);

    static ApprovalPage inState(
            Transactions transactions, Scope scope, ApprovalState state, Optional<Place> after, int limit) {
        return page(
                transactions,
                scope,
                after,
                checked(limit),
                s -> s.call(IN_STATE).set("status", state.wire()));
    }

    private static final Statement<Row> OF_RUN = Statement.returning(Row.class, """
            select a.id, a.run_id, a.digest, a.role, a.status, coalesce(a.expires_at <= clock_timestamp(), false) as expired,
                   a.decided_by, a.created_at, a.expires_at
              from {approval} a
             where a.scope = :scope and a.run_id = :run and (a.created_at, a.id) > (cast(:at as timestamptz), :id)
             order by a.created_at, a.id limit :limit
            """);

    static ApprovalPage ofRun(Transactions transactions, Scope scope, String run, Optional<Place> after, int limit) {
        return page(
                transactions, scope, after, checked(limit), s -> s.call(OF_RUN).set("run", run));
    }

    private interface Asked {
        Call<Row> of(Statements statements);
    }

    private static ApprovalPage page(
            Transactions transactions, Scope scope, Optional<Place> after, int limit, Asked asked) {
        List<Line> lines = transactions
                .single(
                        "approval.list",
                        Effect.READ,
                        s -> asked.of(s)
                                .set("scope", scope.id())
                                .set(
                                        "at",
                                        after.map(place -> place.createdAt().toString())
                                                .orElse("-infinity"))
                                .set("id", after.map(Place::id).orElse(""))
                                .set("limit", (long) limit)
                                .rows())
                .stream()
                .map(Row::line)
                .toList();
        return new ApprovalPage(lines, lines.size() < limit ? Optional.empty() : Optional.of(place(lines)));
    }

    private static Place place(List<Line> lines) {
        Line last = lines.get(lines.size() - 1);
        return new Place(last.createdAt(), last.id());
    }

    private static int checked(int limit) {
        if (limit < 1 || limit > Approvals.MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + Approvals.MAX_PAGE);
        }
        return limit;
    }

    // It waits for nobody, so the clock may be read before the locks; and in brackets once, for the index.
    private static final Statement<Row> WITHDRAW_EXPIRED = Statement.returning(Row.class, """
            with due as materialized (
              select a.id from {approval} a
               where a.scope = :scope and a.status in ('pending', 'approved') and a.expires_at <= (select clock_timestamp())
               order by a.expires_at, a.id limit :limit for no key update of a skip locked),
            done as (   -- by an array: joined, the whole scope might be read for a few
              update {approval} a set status = 'withdrawn', withdrawn_reason = 'expired', withdrawn_at = clock_timestamp(),
                     heard = a.heard and a.status = 'pending'   -- what was approved, and heard, is not any more
               where a.scope = :scope and a.id = any(array(select d.id from due d))
              returning a.id, a.run_id, a.digest, a.role, a.status, a.decided_by, a.created_at, a.expires_at)
            select d.id, d.run_id, d.digest, d.role, d.status, true as expired, d.decided_by, d.created_at, d.expires_at
              from done d order by d.expires_at, d.id
            """);

    static List<Line> withdrawExpired(Transactions transactions, Scope scope, int limit) {
        checked(limit);
        return transactions
                .single(
                        "approval.withdrawExpired",
                        Effect.WRITE,
                        s -> s.call(WITHDRAW_EXPIRED)
                                .set("scope", scope.id())
                                .set("limit", (long) limit)
                                .rows())
                .stream()
                .map(Row::line)
                .toList();
    }
}
