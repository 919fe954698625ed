package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;

/** Workflows by the age of their end alone, over all statuses, those that ended first going first. */
final class FinishedWorkflows {

    private FinishedWorkflows() {}

    private static final String DUE = """
              select w.id, w.finished_at as at from {workflow} w
               where w.scope = :scope and (w.finished_at, w.id) > (cast(:at as timestamptz), :id)
                 and w.finished_at <= (select clock_timestamp()) - :age * interval '1 millisecond'   -- in brackets: read once
               order by w.finished_at, w.id limit :limit""";

    private static final Statement<Batch.Row> COUNT =
            Statement.returning(Batch.Row.class, """
            with due as materialized (
            """ + DUE + """
            ),
            gone as (select from due)
            """ + Batch.OF_DUE);

    private static final Statement<Batch.Row> REMOVE =
            Statement.returning(Batch.Row.class, """
            with due as materialized (
            """ + DUE + """
             for update skip locked),
            gone as (   -- by an array: joined, the whole scope might be read for a few
              delete from {workflow} w where w.scope = :scope and w.id = any(array(select d.id from due d))
              returning w.id)
            """ + Batch.OF_DUE);

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
                .set("id", after.id())
                .set("limit", (long) limit)
                .row()
                .within(limit);
    }
}
