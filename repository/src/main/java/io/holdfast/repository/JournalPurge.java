package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;

/** The end of runs that have finished. */
final class JournalPurge {

    private JournalPurge() {}

    private static final String DUE = """
              select e.id, e.finished_at as at from {execution} e
               where e.scope = :scope and (e.finished_at, e.id) > (cast(:at as timestamptz), :id)
                 -- the clock by a select: so it is asked once, and the index gone along
                 and e.finished_at <= (select clock_timestamp()) - :age * interval '1 millisecond'
                 and not exists (select from {execution_effect} f
                                  where f.scope = :scope and f.run_id = e.id and f.status not in ('confirmed', 'resolved'))
                 and not exists (select from {execution} c
                                  where c.scope = :scope and c.parent_id = e.id and c.finished_at is null)
                 and not exists (select from {execution} p   -- on its recovery the parent would begin this one anew
                                  where p.scope = :scope and p.id = e.parent_id and p.finished_at is null)
               order by e.finished_at, e.id limit :limit""";

    private static final Statement<Batch.Row> COUNT =
            Statement.returning(Batch.Row.class, """
            with due as materialized (
            """ + DUE + """
            ),
            gone as (select from due)
            """ + Batch.OF_DUE);

    private static final Statement<Batch.Row> PURGE =
            Statement.returning(Batch.Row.class, """
            with due as materialized (
            """ + DUE + """
             for update of e skip locked),
            gone as (   -- what belongs to it goes with it
              delete from {execution} e using due d where e.scope = :scope and e.id = d.id returning e.id)
            """ + Batch.OF_DUE);

    static int run(Transactions transactions, Scope scope, Duration finishedFor, int limit) {
        if (Given.value("finishedFor", finishedFor).isNegative()
                || finishedFor.compareTo(Duration.ofDays(36_500)) > 0) {
            throw new InvalidValueException("finishedFor", "be 0 to 36500 days");
        }
        if (limit < 1 || limit > ExecutionJournal.MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + ExecutionJournal.MAX_PAGE);
        }
        return Referred.oneBatch(transactions, due(transactions, scope, finishedFor), Position.OF_TIMES, limit);
    }

    private static Due due(Transactions transactions, Scope scope, Duration age) {
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return transactions.single(
                        "journal.purge", Effect.READ, s -> batch(s.call(COUNT), scope, age, after, rows));
            }

            @Override
            public Batch remove(Position after, int rows) {
                return transactions.single(
                        "journal.purge", Effect.WRITE, s -> batch(s.call(PURGE), scope, age, after, rows));
            }
        };
    }

    private static Batch batch(Statements.Call<Batch.Row> call, Scope scope, Duration age, Position after, int limit) {
        return call.set("scope", scope.id())
                .set("age", age.toMillis())
                .set("at", after.first())
                .set("id", after.id())
                .set("limit", (long) limit)
                .row()
                .within(limit);
    }
}
