package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.state.WorkflowStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Retention of workflows that have ended. They are gone through status by status in the order of their creation, for which
 * there is an index; since none ends before it is created, those that ended long ago are at its beginning.
 */
final class EndedWorkflows {

    private static final List<WorkflowStatus> TERMINAL =
            List.of(WorkflowStatus.SUCCEEDED, WorkflowStatus.FAILED, WorkflowStatus.CLOSED);

    private EndedWorkflows() {}

    /**
     * What goes of a status; judged once for a walk, so that it is the same from its beginning to its end.
     *
     * @param cutoff what ended then or before; null if age does not matter
     * @param beyondAt with {@code beyondId} the newest that is one too many; null if there is none
     */
    record Bound(
            String status,
            @Nullable Instant cutoff,
            @Nullable Instant beyondAt,
            @Nullable String beyondId) {}

    private static final Statement<Bound> BOUNDS = Statement.returning(Bound.class, """
            with kept (status, age, newest) as (values
              ('succeeded', cast(:succeeded_age as bigint), cast(:succeeded_newest as bigint)),
              ('failed', cast(:failed_age as bigint), cast(:failed_newest as bigint)),
              ('closed', cast(:closed_age as bigint), cast(:closed_newest as bigint))),
            bound as materialized (
              select k.status, clock_timestamp() - k.age * interval '1 millisecond' as cutoff,
                     b.created_at as beyond_at, b.id as beyond_id
                from kept k left join lateral (
                  select w.created_at, w.id from {workflow} w where w.scope = :scope and w.status = k.status
                   order by w.created_at desc, w.id desc offset k.newest limit 1) b on k.newest is not null)
            select b.status, b.cutoff, b.beyond_at, b.beyond_id from bound b
             where (select true from {workflow} w where w.scope = :scope and w.status = b.status
                       and w.created_at <= greatest(b.cutoff, b.beyond_at) order by w.created_at limit 1)
            """);

    private static final String DUE = """
              select w.id, w.created_at from {workflow} w
               where w.scope = :scope and w.status = :status
                 and (w.created_at, w.id) > (cast(:at as timestamptz), :id)
                 and w.created_at <= greatest(cast(:cutoff as timestamptz), cast(:beyond_at as timestamptz))
                 and (w.finished_at <= cast(:cutoff as timestamptz)
                   or (w.created_at, w.id) <= (cast(:beyond_at as timestamptz), :beyond_id))
                 and coalesce((   -- not in use: whoever holds the lease may still be reading it
                   select x.owner is null or x.expires_at <= clock_timestamp() from {lease} x
                    where x.scope = :scope and x.kind = 'workflow' and x.id = w.id), true)
               order by w.created_at, w.id limit :limit""";

    private static final String LAST = """
            select (select count(*) from due) as seen, (select count(*) from gone) as gone, l.created_at as at, l.id
              from (select 1) one
              left join (select d.created_at, d.id from due d order by d.created_at desc, d.id desc limit 1) l on true
            """;

    private static final Statement<Batch.Row> COUNT = Statement.returning(Batch.Row.class, """
            with due as materialized (
            """ + DUE + """
            ),
            gone as (select from due)
            """ + LAST);

    private static final Statement<Batch.Row> REMOVE = Statement.returning(Batch.Row.class, """
            with due as materialized (
            """ + DUE + """
             for update of w skip locked),
            gone as (   -- by an array: joined, the whole scope might be read for a few
              delete from {workflow} w where w.scope = :scope and w.id = any(array(select d.id from due d)) returning w.id)
            """ + LAST);

    static List<Bound> bounds(Transactions transactions, String operation, Scope scope, RetentionRule rule) {
        return transactions.single(operation, Effect.READ, s -> {
            var call = s.call(BOUNDS).set("scope", scope.id());
            for (WorkflowStatus status : TERMINAL) {
                Keep keep = rule.ended().get(status);
                Long age = keep == null
                        ? null
                        : keep.time().map(time -> time.toMillis()).orElse(null);
                Long newest = keep == null || keep.newest().isEmpty()
                        ? null
                        : (long) keep.newest().getAsInt();
                call.set(status.wire() + "_age", age).set(status.wire() + "_newest", newest);
            }
            return call.rows();
        });
    }

    static Batch count(Transactions transactions, Scope scope, Bound bound, Position after, int limit) {
        return transactions.single("cleanup.plan", Effect.READ, s -> batch(s.call(COUNT), scope, bound, after, limit));
    }

    static Batch remove(Transactions transactions, Scope scope, Bound bound, Position after, int limit) {
        return transactions.single("cleanup.run", Effect.WRITE, s -> batch(s.call(REMOVE), scope, bound, after, limit));
    }

    private static Batch batch(Statements.Call<Batch.Row> call, Scope scope, Bound bound, Position after, int limit) {
        return call.set("scope", scope.id())
                .set("status", bound.status())
                .set("at", after.first())
                .set("id", after.id())
                .set("cutoff", text(bound.cutoff()))
                .set("beyond_at", text(bound.beyondAt()))
                .set("beyond_id", bound.beyondId() == null ? "" : bound.beyondId())
                .set("limit", (long) limit)
                .row()
                .within(limit);
    }

    private static String text(@Nullable Instant time) {
        return time == null ? "-infinity" : time.toString();
    }
}
