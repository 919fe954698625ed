package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Keep;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;

/**
 * Retention of the older entries of runs that have ended. No index knows which histories are still long: the runs are gone
 * through in the order of their ends, a window at a time.
 */
final class CutHistories {

    private CutHistories() {}

    private static final String DUE = """
            near as materialized (
              select t.run_id, t.finished_at as at from {checkpoint} t
               where t.scope = :scope and (t.finished_at, t.run_id) > (cast(:at as timestamptz), :id)
                 and t.finished_at <= (select clock_timestamp()) - :age * interval '1 millisecond'   -- in brackets: read once
               order by t.finished_at, t.run_id limit :limit),
            due as materialized (
              select t.run_id as id, t.run_id as run, t.revision - :kept as upto
                from {checkpoint} t cross join lateral (select t.run_id as run) n
               where t.scope = :scope and t.run_id = any(array(select w.run_id from near w))
                 and t.history_from <= t.revision - :kept and\s""" + StillNeeded.NOT;

    private static final String LAST = """
            select (select count(*) from near) as seen, (select count(*) from gone) as gone, l.at, l.run_id as id
              from (select 1) one
              left join (select w.at, w.run_id from near w order by w.at desc, w.run_id desc limit 1) l on true
            """;

    private static final Statement<Batch.Row> COUNT = Statement.returning(Batch.Row.class, """
            with\s""" + DUE + """
            ),
            gone as (   -- of a run that was reserved, the reservation goes too, which is not part of its history
              select from due d join {checkpoint_entry} e
                  on e.scope = :scope and e.run_id = d.id and e.revision <= d.upto)
            """ + LAST);

    private static final Statement<Batch.Row> REMOVE =
            Statement.returning(Batch.Row.class, """
            with\s""" + DUE + """

               for no key update of t skip locked),
            """ + StillNeeded.FREE + """
            shortened as (   -- nothing else of the row changes, its time of update included
              update {checkpoint} c set history_from = c.revision - :kept + 1
               where c.scope = :scope and c.run_id = any(array(select f.id from free f))),
            gone as (   -- by an array: joined, the whole scope might be read for a few
              delete from {checkpoint_entry} e
               where e.scope = :scope and e.run_id = any(array(select f.id from free f))
                 and e.revision <= (select c.revision - :kept from {checkpoint} c where c.scope = :scope and c.run_id = e.run_id)
              returning e.revision)
            """ + LAST);

    static Due due(Transactions transactions, String operation, Scope scope, Keep keep) {
        long age = keep.time().orElse(Duration.ZERO).toMillis();
        long kept = keep.newest().orElseThrow();
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return transactions.single(
                        operation, Effect.READ, s -> batch(s.call(COUNT), scope, age, kept, after, rows));
            }

            @Override
            public Batch remove(Position after, int rows) {
                return transactions.single(
                        operation, Effect.WRITE, s -> batch(s.call(REMOVE), scope, age, kept, after, rows));
            }
        };
    }

    private static Batch batch(
            Statements.Call<Batch.Row> call, Scope scope, long age, long kept, Position after, int limit) {
        return call.set("scope", scope.id())
                .set("age", age)
                .set("kept", kept)
                .set("at", after.first())
                .set("id", after.id())
                .set("limit", (long) limit)
                .row()
                .within(limit);
    }
}
