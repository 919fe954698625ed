package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Keep;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.EndedRows.Bound;
import io.holdfast.repository.Transactions.Effect;
import java.util.Optional;

/**
 * Retention of transcripts, in the order in which they were begun. They are emptied, as by a save without messages: a row that
 * goes and comes again would begin at revision 1, and whoever read the former one at a revision could save on the new one.
 */
final class OldSessions {

    private OldSessions() {}

    private static final Statement<Bound> BOUND = Statement.returning(Bound.class, """
            with bound as materialized (
              select clock_timestamp() - cast(:age as bigint) * interval '1 millisecond' as cutoff, b.created_at as beyond_at,
                     b.id as beyond_id
                from (select cast(:newest as bigint) as newest) k left join lateral (
                  select t.created_at, t.id from {workspace_session} t where t.scope = :scope and t.emptied_at is null
                   order by t.created_at desc, t.id desc offset k.newest limit 1) b on k.newest is not null)
            select b.cutoff, b.beyond_at, b.beyond_id from bound b
             where (select true from {workspace_session} t where t.scope = :scope and t.emptied_at is null
                       and t.created_at <= greatest(b.cutoff, b.beyond_at) order by t.created_at limit 1)
            """);

    private static final String DUE = """
              select t.id, t.created_at as at from {workspace_session} t
               where t.scope = :scope and t.emptied_at is null and (t.created_at, t.id) > (cast(:at as timestamptz), :id)
                 and t.created_at <= greatest(cast(:cutoff as timestamptz), cast(:beyond_at as timestamptz))
                 and (t.updated_at <= cast(:cutoff as timestamptz)
                   or (t.created_at, t.id) <= (cast(:beyond_at as timestamptz), :beyond_id))
               order by t.created_at, t.id limit :limit""";

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
             for no key update of t skip locked),
            gone as (   -- the bytes of an empty transcript as it is saved: text in JSON is escaped as canonical JSON has it
              update {workspace_session} t set revision = t.revision + 1, message_count = 0,
                     payload = '{"messages":[],"revision":' || t.revision + 1 || ',"schema_version":1,"session_id":'
                               || to_json(t.id) || '}',
                     updated_at = clock_timestamp(), emptied_at = clock_timestamp()
               where t.scope = :scope and t.id = any(array(select d.id from due d)) returning t.id)
            """ + Batch.OF_DUE);

    /** Empty if nothing is due at all. */
    static Optional<Due> due(Transactions transactions, String operation, Scope scope, Keep keep) {
        return transactions
                .single(
                        operation,
                        Effect.READ,
                        s -> EndedRows.bounded(s.call(BOUND), keep)
                                .set("scope", scope.id())
                                .first())
                .map(bound -> due(transactions, operation, scope, bound));
    }

    private static Due due(Transactions transactions, String operation, Scope scope, Bound bound) {
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return transactions.single(
                        operation, Effect.READ, s -> EndedRows.batch(s.call(COUNT), scope, bound, after, rows));
            }

            @Override
            public Batch remove(Position after, int rows) {
                return transactions.single(
                        operation, Effect.WRITE, s -> EndedRows.batch(s.call(REMOVE), scope, bound, after, rows));
            }
        };
    }
}
