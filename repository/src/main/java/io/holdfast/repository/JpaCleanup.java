package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.codec.Given;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Removes what is old. It goes against the order of locks, which is safe because it waits for none: {@code skip locked}
 * everywhere. A locked row is looked at as it is now, so what changed since the snapshot is judged anew.
 */
final class JpaCleanup implements Cleanup {

    private final Transactions transactions;
    private final Optional<Scope> scope;

    /** @param scope empty for all scopes */
    JpaCleanup(Transactions transactions, Optional<Scope> scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private record Count(long count) {}

    private static final Statement<Count> REMOVE_WORKFLOWS = Statement.returning(Count.class, """
            with due as materialized (
              select w.id from {workflow} w
               where w.scope = :scope and w.finished_at <= clock_timestamp() - :age * interval '1 millisecond'
               order by w.finished_at, w.id limit :limit for update skip locked),
            gone as (
              delete from {workflow} w using due d where w.scope = :scope and w.id = d.id returning w.id)
            select count(*) as count from gone
            """);

    private static final Statement<Count> REMOVE_KEYS = Statement.returning(Count.class, """
            with due as materialized (
              select i.key, i.status, i.workflow_id, i.expires_at from {idempotency_key} i
               where i.scope = :scope and i.expires_at <= clock_timestamp() - :age * interval '1 millisecond'
                 and (i.status = 'completed' or not exists (   -- at work: would only be passed over again and again
                   select from {lease} x where x.scope = :scope and x.kind = 'workflow' and x.id = i.workflow_id
                      and x.owner is not null and x.expires_at > clock_timestamp() and x.granted_at < i.expires_at))
               order by i.expires_at, i.key limit :limit for update of i skip locked),
            leased as materialized (   -- whether a lease is there at all, locked or not
              select d.key from due d
                join {lease} x on x.scope = :scope and x.kind = 'workflow' and x.id = d.workflow_id
               where d.status = 'reserved'),
            guard as materialized (   -- relied on to be dead, so locked; whoever has it locked may be keeping the key
              select d.key, x.owner, x.granted_at, x.expires_at from due d
                join {lease} x on x.scope = :scope and x.kind = 'workflow' and x.id = d.workflow_id
               where d.status = 'reserved'
               order by x.id for no key update of x skip locked),
            moment as materialized (select clock_timestamp() as at from (select count(*) from guard) first),
            free as materialized (
              select d.key from moment m cross join due d left join guard g on g.key = d.key
               where d.status = 'completed'
                  or g.key is null and d.key not in (select key from leased)
                  or g.key is not null and (g.owner is null or g.expires_at <= m.at or g.granted_at >= d.expires_at)),
            gone as (
              delete from {idempotency_key} i using free f where i.scope = :scope and i.key = f.key returning i.key)
            select count(*) as count from gone
            """);

    private static final Statement<Count> LOCK_FLOOR = Statement.returning(Count.class, """
            select f.floor as count from {lease_floor} f where f.scope = :scope for update skip locked
            """);

    private static final Statement<Count> REMOVE_LEASES = Statement.returning(Count.class, """
            with due as materialized (
              select x.kind, x.id from {lease} x
               where x.scope = :scope and x.expires_at <= clock_timestamp() - :age * interval '1 millisecond'
               order by x.kind, x.id limit :limit for update skip locked),
            gone as (
              delete from {lease} x using due d
               where x.scope = :scope and x.kind = d.kind and x.id = d.id returning x.token),
            raised as (   -- a new row of this scope starts above every token that goes
              update {lease_floor} f set floor = greatest(f.floor, (select max(token) from gone))
               where f.scope = :scope and exists (select from gone))
            select count(*) as count from gone
            """);

    private record Found(String scope) {}

    // The one statement that names no scope: where there is something to do.
    private static final Statement<Found> SCOPES = Statement.returning(Found.class, """
            select scope from {workflow} where finished_at <= clock_timestamp() - :finished * interval '1 millisecond'
            union
            select scope from {idempotency_key} where expires_at <= clock_timestamp() - :expired * interval '1 millisecond'
            union
            select scope from {lease} where expires_at <= clock_timestamp() - :expired * interval '1 millisecond'
            order by scope
            """);

    @Override
    public Removed pass(Cutoff cutoff) {
        Given.value("cutoff", cutoff);
        int workflows = 0;
        int keys = 0;
        int leases = 0;
        for (Scope each : scopes(cutoff)) {
            workflows += remove(REMOVE_WORKFLOWS, each, cutoff.finished(), cutoff.limit() - workflows);
            keys += remove(REMOVE_KEYS, each, cutoff.expired(), cutoff.limit() - keys);
            leases += removeLeases(each, cutoff.expired(), cutoff.limit() - leases);
        }
        return new Removed(workflows, keys, leases);
    }

    private List<Scope> scopes(Cutoff cutoff) {
        return scope.map(List::of)
                .orElseGet(() -> transactions
                        .single(
                                "cleanup.scopes",
                                Effect.READ,
                                s -> s.call(SCOPES)
                                        .set("finished", cutoff.finished().toMillis())
                                        .set("expired", cutoff.expired().toMillis())
                                        .rows())
                        .stream()
                        .map(row -> new Scope(row.scope()))
                        .toList());
    }

    private int remove(Statement<Count> statement, Scope each, Duration age, int limit) {
        return limit == 0
                ? 0
                : transactions.single("cleanup.pass", Effect.WRITE, s -> removed(s.call(statement), each, age, limit));
    }

    /** The floor is locked first, by a statement of its own, so that the purge's snapshot is not older than the lock. */
    private int removeLeases(Scope each, Duration age, int limit) {
        if (limit == 0) {
            return 0;
        }
        return transactions.whole("cleanup.pass", s -> {
            boolean ours = s.call(LOCK_FLOOR).set("scope", each.id()).first().isPresent();
            return ours ? removed(s.call(REMOVE_LEASES), each, age, limit) : 0;
        });
    }

    private static int removed(Call<Count> call, Scope each, Duration age, int limit) {
        return Math.toIntExact(call.set("scope", each.id())
                .set("age", age.toMillis())
                .set("limit", (long) limit)
                .row()
                .count());
    }
}
