package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;

/** Retention of idempotency keys, those that expired first going first. */
final class ExpiredKeys {

    private ExpiredKeys() {}

    private static final String DUE = """
              select i.key, i.status, i.workflow_id, i.expires_at from {idempotency_key} i
               where i.scope = :scope and (i.expires_at, i.key) > (cast(:at as timestamptz), :key)
                 and i.expires_at <= (select clock_timestamp()) - :age * interval '1 millisecond'   -- in brackets: read once
                 and (i.status = 'completed' or i.status = 'reserved' and coalesce((   -- at work: would only be passed over again
                   select x.owner is null or x.expires_at <= clock_timestamp() or x.granted_at >= i.expires_at
                     from {lease} x where x.scope = :scope and x.kind = 'workflow' and x.id = i.workflow_id), true))
               order by i.expires_at, i.key limit :limit""";

    private static final String LAST = """
            select (select count(*) from due) as seen, (select count(*) from gone) as gone, l.expires_at as at, l.key as id
              from (select 1) one
              left join (select d.expires_at, d.key from due d order by d.expires_at desc, d.key desc limit 1) l on true
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
             for update of i skip locked),
            leased as materialized (   -- whether a lease is there at all, locked or not
              select d.key from due d
               where d.status = 'reserved' and (
                 select true from {lease} x where x.scope = :scope and x.kind = 'workflow' and x.id = d.workflow_id)),
            guard as materialized (   -- relied on to be dead, so locked; whoever has it locked may be keeping the key
              select d.key, g.owner, g.granted_at, g.expires_at from due d cross join lateral (
                select x.owner, x.granted_at, x.expires_at from {lease} x
                 where x.scope = :scope and x.kind = 'workflow' and x.id = d.workflow_id and d.status = 'reserved'
                   for no key update of x skip locked) g),
            moment as materialized (select clock_timestamp() as at from (select count(*) from guard) first),
            free as materialized (
              select d.key from moment m cross join due d left join guard g on g.key = d.key
               where d.status = 'completed'
                  or g.key is null and d.key not in (select key from leased)
                  or g.key is not null and (g.owner is null or g.expires_at <= m.at or g.granted_at >= d.expires_at)),
            gone as (
              delete from {idempotency_key} i
               where i.scope = :scope and i.key = any(array(select f.key from free f)) returning i.key)
            """ + LAST);

    static Due due(Transactions transactions, String operation, Scope scope, Duration age) {
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return transactions.single(operation, Effect.READ, s -> batch(s.call(COUNT), scope, age, after, rows));
            }

            @Override
            public Batch remove(Position after, int rows) {
                return transactions.single(
                        operation, Effect.WRITE, s -> batch(s.call(REMOVE), scope, age, after, rows));
            }
        };
    }

    private static Batch batch(Statements.Call<Batch.Row> call, Scope scope, Duration age, Position after, int limit) {
        return call.set("scope", scope.id())
                .set("age", age.toMillis())
                .set("at", after.first())
                .set("key", after.id())
                .set("limit", (long) limit)
                .row()
                .within(limit);
    }
}
