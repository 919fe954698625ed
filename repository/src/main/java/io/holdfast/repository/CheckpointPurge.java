package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.checkpoint.Purged;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;

/** The end of runs that have ended, or of the older part of their histories. */
final class CheckpointPurge {

    /** As long as anybody may ask for. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private CheckpointPurge() {}

    private record Row(long runs, long entries) {}

    private static final Statement<Row> PURGE = Statement.returning(Row.class, """
            with due as materialized (   -- skip locked: who waits for nobody can go against the order of locks
              select c.run_id from {checkpoint} c
               where c.scope = :scope and c.finished_at <= (select clock_timestamp()) - :age * interval '1 millisecond'
                 and (:kept = 0 or c.history_from <= c.revision - :kept)
                 and coalesce((   -- on its recovery the parent would begin this one anew
                   select p.finished_at is not null from {checkpoint} p
                    where p.scope = :scope and p.run_id = c.parent_run_id), true)
                 and coalesce((   -- not in use: whoever holds the lease may still be reading it
                   select x.owner is null or x.expires_at <= clock_timestamp() from {lease} x
                    where x.scope = :scope and x.kind = 'run' and x.id = c.run_id), true)
               order by c.finished_at, c.run_id limit :limit for update of c skip locked),
            cut as (   -- by an array: joined, the whole scope might be read for a few
              delete from {checkpoint_entry} e
               where e.scope = :scope and e.run_id = any(array(select d.run_id from due d))
                 and (:kept = 0 or e.revision <= (
                   select c.revision - :kept from {checkpoint} c where c.scope = :scope and c.run_id = e.run_id))
              returning e.revision),
            shortened as (   -- nothing else of the row changes, its time of update included
              update {checkpoint} c set history_from = c.revision - :kept + 1
               where :kept > 0 and c.scope = :scope and c.run_id = any(array(select d.run_id from due d))),
            gone as (
              delete from {checkpoint} c
               where :kept = 0 and c.scope = :scope and c.run_id = any(array(select d.run_id from due d)))
            select (select count(*) from due) as runs, (select count(*) from cut) as entries
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
        Row row = transactions.single(
                "checkpoint.purge",
                Effect.WRITE,
                s -> s.call(PURGE)
                        .set("scope", scope.id())
                        .set("age", endedFor.toMillis())
                        .set("kept", (long) keptEntries)
                        .set("limit", (long) limit)
                        .row());
        return new Purged(Math.toIntExact(row.runs()), Math.toIntExact(row.entries()));
    }
}
