package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Retention of leases. No index knows when they expire, since it would be written with every renewal: they are gone through in
 * the order of their names, a window at a time.
 */
final class SpentLeases {

    private SpentLeases() {}

    private record Window(
            long seen,
            long due,
            @Nullable String kind,
            @Nullable String id) {}

    private record Count(long count) {}

    /** Before the floor is locked: new leases wait for that lock, so it must not last for as long as the living are passed by. */
    private static final Statement<Window> LOOK = Statement.returning(Window.class, """
            with near as materialized (
              select x.kind, x.id, x.expires_at <= clock_timestamp() - :age * interval '1 millisecond' as due
                from {lease} x where x.scope = :scope and (x.kind, x.id) > (:kind, :id)
               order by x.kind, x.id limit :limit)
            select (select count(*) from near) as seen, (select count(*) from near n where n.due) as due, l.kind, l.id
              from (select 1) one
              left join (select n.kind, n.id from near n order by n.kind desc, n.id desc limit 1) l on true
            """);

    private static final Statement<Window> DUE = Statement.returning(Window.class, """
            with due as materialized (
              select x.kind, x.id from {lease} x
               where x.scope = :scope and (x.kind, x.id) > (:kind, :id)
                 and x.expires_at <= clock_timestamp() - :age * interval '1 millisecond'
               order by x.kind, x.id limit :limit)
            select (select count(*) from due) as seen, (select count(*) from due) as due, l.kind, l.id
              from (select 1) one
              left join (select d.kind, d.id from due d order by d.kind desc, d.id desc limit 1) l on true
            """);

    private static final Statement<Count> LOCK_FLOOR = Statement.returning(Count.class, """
            select f.floor as count from {lease_floor} f where f.scope = :scope for update skip locked
            """);

    private static final Statement<Count> REMOVE = Statement.returning(Count.class, """
            with due as materialized (
              select x.kind, x.id from {lease} x
               where x.scope = :scope and (x.kind, x.id) > (:kind, :id) and (x.kind, x.id) <= (:last_kind, :last_id)
                 and x.expires_at <= clock_timestamp() - :age * interval '1 millisecond'
               order by x.kind, x.id limit :limit for update skip locked),
            gone as (   -- arrays say where to look; the pairs, "is true" so that they are hashed, not gone through for each row
              delete from {lease} x
               where x.scope = :scope and x.kind = any(array(select d.kind from due d))
                 and x.id = any(array(select d.id from due d))
                 and ((x.kind, x.id) in (select d.kind, d.id from due d)) is true returning x.token),
            raised as (   -- a new row of this scope starts above every token that goes
              update {lease_floor} f set floor = greatest(f.floor, (select max(token) from gone))
               where f.scope = :scope and exists (select from gone))
            select count(*) as count from gone
            """);

    /** How many are due in the next window, and where it ends. */
    static Batch look(
            Transactions transactions, String operation, Scope scope, Duration age, Position after, int limit) {
        return window(LOOK, transactions, operation, scope, age, after, limit);
    }

    private static Batch window(
            Statement<Window> which,
            Transactions transactions,
            String operation,
            Scope scope,
            Duration age,
            Position after,
            int limit) {
        Window window = transactions.single(
                operation,
                Effect.READ,
                s -> s.call(which)
                        .set("scope", scope.id())
                        .set("age", age.toMillis())
                        .set("kind", after.first())
                        .set("id", after.id())
                        .set("limit", (long) limit)
                        .row());
        Position last = window.kind() == null || window.id() == null ? after : new Position(window.kind(), window.id());
        return new Batch(Math.toIntExact(window.due()), window.seen() == limit, last);
    }

    /**
     * Removes what is due between two places. The floor is locked first, by a statement of its own, so that the purge's
     * snapshot is not older than the lock.
     *
     * @return empty if somebody else had the floor
     */
    static OptionalInt remove(
            Transactions transactions,
            String operation,
            Scope scope,
            Duration age,
            Position after,
            Position last,
            int limit) {
        return transactions.whole(operation, s -> {
            if (s.call(LOCK_FLOOR).set("scope", scope.id()).first().isEmpty()) {
                return OptionalInt.empty();
            }
            return OptionalInt.of(Math.toIntExact(s.call(REMOVE)
                    .set("scope", scope.id())
                    .set("age", age.toMillis())
                    .set("kind", after.first())
                    .set("id", after.id())
                    .set("last_kind", last.first())
                    .set("last_id", last.id())
                    .set("limit", (long) limit)
                    .row()
                    .count()));
        });
    }

    /** What is due, however many of the living are between. Somebody else who has the floor keeps all of it for another time. */
    static Due due(Transactions transactions, String operation, Scope scope, Duration age) {
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return window(DUE, transactions, operation, scope, age, after, rows);
            }

            @Override
            public Batch remove(Position after, int rows) {
                int removed = SpentLeases.remove(
                                transactions, operation, scope, age, after, Position.BEHIND_NAMES, rows)
                        .orElse(0);
                return new Batch(removed, removed == rows, after); // what went is not met again
            }
        };
    }
}
