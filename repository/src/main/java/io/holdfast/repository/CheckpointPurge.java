package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.checkpoint.Purged;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The end of runs that have ended, or of the older part of their histories. */
final class CheckpointPurge {

    /** As long as anybody may ask for. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private CheckpointPurge() {}

    private record Row(
            long runs,
            long entries,
            @Nullable Instant at,
            @Nullable String id) {}

    private static final String DUE = """
              select c.run_id as id, c.finished_at as at from {checkpoint} c
               where c.scope = :scope
                 and (c.finished_at, c.run_id) > (cast(:at as timestamptz), :id) and c.finished_at <=
                   (select clock_timestamp()) - :age * interval '1 millisecond'
                 and (:kept = 0 or c.history_from <= c.revision - :kept)
                 and coalesce((   -- on its recovery the parent would begin this one anew
                   select p.finished_at is not null from {checkpoint} p
                    where p.scope = :scope and p.run_id = c.parent_run_id), true)
                 and coalesce((   -- not in use: whoever holds the lease may still be reading it
                   select x.owner is null or x.expires_at <= clock_timestamp() from {lease} x
                    where x.scope = :scope and x.kind = 'run' and x.id = c.run_id), true)
               order by c.finished_at, c.run_id limit :limit""";

    private static final Statement<Batch.Row> COUNT =
            Statement.returning(Batch.Row.class, """
            with due as materialized (
            """ + DUE + """
            ),
            gone as (select from due)
            """ + Batch.OF_DUE);

    private static final Statement<Row> PURGE = Statement.returning(Row.class, """
            with due as materialized (   -- skip locked: who waits for nobody can go against the order of locks
            """ + DUE + """
             for update of c skip locked),
            cut as (   -- by an array: joined, the whole scope might be read for a few
              delete from {checkpoint_entry} e
               where e.scope = :scope and e.run_id = any(array(select d.id from due d))
                 and (:kept = 0 or e.revision <= (
                   select c.revision - :kept from {checkpoint} c where c.scope = :scope and c.run_id = e.run_id))
              returning e.revision),
            shortened as (   -- nothing else of the row changes, its time of update included
              update {checkpoint} c set history_from = c.revision - :kept + 1
               where :kept > 0 and c.scope = :scope and c.run_id = any(array(select d.id from due d))),
            gone as (
              delete from {checkpoint} c
               where :kept = 0 and c.scope = :scope and c.run_id = any(array(select d.id from due d)))
            select (select count(*) from due) as runs, (select count(*) from cut) as entries, l.at, l.id
              from (select 1) one
              left join (select d.at, d.id from due d order by d.at desc, d.id desc limit 1) l on true
            """);

    static Purged run(Transactions transactions, Scope scope, Duration endedFor, int keptEntries, int limit) {
        if (Given.value("endedFor", endedFor).isNegative() || endedFor.compareTo(LONGEST) > 0) {
            throw new InvalidValueException("endedFor", "be 0 to " + LONGEST.toDays() + " days");
        }
        if (keptEntries < 0) {
            throw new InvalidValueException("keptEntries", "be 0 or more");
        }
        if (limit < 1 || limit > Checkpoints.MAX_PURGE) {
            throw new InvalidValueException("limit", "be 1 to " + Checkpoints.MAX_PURGE);
        }
        Cut cut = new Cut(transactions, scope, endedFor.toMillis(), keptEntries);
        int runs = Referred.oneBatch(transactions, cut, Position.OF_TIMES, limit);
        return new Purged(runs, Math.toIntExact(cut.entries));
    }

    /** What is due, and how many entries of it have gone. For one call. */
    private static final class Cut implements Due {

        private final Transactions transactions;
        private final Scope scope;
        private final long age;
        private final long kept;
        private long entries;

        private Cut(Transactions transactions, Scope scope, long age, long kept) {
            this.transactions = transactions;
            this.scope = scope;
            this.age = age;
            this.kept = kept;
        }

        @Override
        public Batch count(Position after, int rows) {
            return transactions.single(
                    "checkpoint.purge",
                    Effect.READ,
                    s -> given(s.call(COUNT), after, rows).row().within(rows));
        }

        @Override
        public Batch remove(Position after, int rows) {
            Row row = transactions.single(
                    "checkpoint.purge",
                    Effect.WRITE,
                    s -> given(s.call(PURGE), after, rows).row());
            entries += row.entries();
            return new Batch.Row(row.runs(), row.runs(), row.at(), row.id()).within(rows);
        }

        private <R extends Record> Statements.Call<R> given(Statements.Call<R> call, Position after, int limit) {
            return call.set("scope", scope.id())
                    .set("age", age)
                    .set("kept", kept)
                    .set("at", after.first())
                    .set("id", after.id())
                    .set("limit", (long) limit);
        }
    }
}
