package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Ended;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Retention of what belongs to runs and has come to its end, one status at a time along an index that has it in order: by
 * creation, or by its end where there is a column of that. The statements are the same for every table but for its names.
 */
final class EndedRows {

    static final EndedRows RUNS = new EndedRows("run t", "t.id", "t.id", "t.created_at", "t.updated_at", "t.last_seq");
    static final EndedRows JOURNALS = new EndedRows(
            "execution t", "t.id", "t.id", "t.finished_at", "t.finished_at", "t.steps + t.effects + t.events");
    static final EndedRows CHECKPOINTS = new EndedRows(
            "checkpoint t", "t.run_id", "t.run_id", "t.finished_at", "t.finished_at", "t.revision - t.history_from");
    static final EndedRows APPROVALS = new EndedRows(
            "approval t",
            "t.id",
            "t.run_id",
            "t.created_at",
            "greatest(t.decided_at, t.consumed_at, t.withdrawn_at)",
            "0");
    static final EndedRows AGENTS =
            new EndedRows("agent_checkpoint t", "t.run_id", "t.run_id", "t.created_at", "t.updated_at", "0");

    /** What belongs to a row goes with it: so much of it, for each row that a batch may have, makes the batch full. */
    private static final int WEIGHT = 10;

    /**
     * What goes of a status; judged once for a walk, so that it is the same from its beginning to its end.
     *
     * @param cutoff what ended then or before; null if age does not matter
     * @param beyondAt with {@code beyondId} the newest that is one too many; null if there is none
     */
    record Bound(
            @Nullable Instant cutoff,
            @Nullable Instant beyondAt,
            @Nullable String beyondId) {}

    private static final String BOUND = """
            with bound as materialized (
              select clock_timestamp() - cast(:age as bigint) * interval '1 millisecond' as cutoff, b.at as beyond_at,
                     b.id as beyond_id
                from (select cast(:newest as bigint) as newest) k left join lateral (
                  select <at> as at, <id> as id from <table> where t.scope = :scope and t.status = :status and <at> is not null
                   order by <at> desc, <id> desc offset k.newest limit 1) b on k.newest is not null)
            select b.cutoff, b.beyond_at, b.beyond_id from bound b
             where (select true from <table> where t.scope = :scope and t.status = :status
                       and <at> <= greatest(b.cutoff, b.beyond_at) order by <at> limit 1)
            """;

    private static final String OLD = """
            t.status = :status and (<ended> <= cast(:cutoff as timestamptz)
                   or (<at>, <id>) <= (cast(:beyond_at as timestamptz), :beyond_id))""";

    /** The next rows of the index first, and only then what keeps them: or its guesses about that make the planner sort. */
    private static final String ABLE = """
            near as materialized (
              select <id> as id, <at> as at from <table>
               where t.scope = :scope and (<at>, <id>) > (cast(:at as timestamptz), :id)
                 and <at> <= greatest(cast(:cutoff as timestamptz), cast(:beyond_at as timestamptz)) and\s""" + OLD + """

               order by <at>, <id> limit :limit),
            able as materialized (
              select <id> as id, <at> as at, <run> as run, 1 + <weight> as weight
                from <table> cross join lateral (select <run> as run) n
               where t.scope = :scope and <id> = any(array(select w.id from near w)) and\s""" + OLD + """

                 and\s""" + StillNeeded.NOT;

    private static final String COUNT = """
            with\s""" + ABLE + """
            )
            select (select count(*) from near) as seen, (select count(*) from able) as gone, l.at, l.id
              from (select 1) one
              left join (select w.at, w.id from near w order by w.at desc, w.id desc limit 1) l on true
            """;

    private static final String REMOVE = """
            with\s""" + ABLE + """

               for update of t skip locked),
            weighed as materialized (   -- what belongs to a row goes with it: with much of it, the batch has fewer rows
              select w.id, w.at, w.run, sum(w.weight) over (order by w.at, w.id) - w.weight as before from able w),
            due as materialized (select w.id, w.at, w.run from weighed w where w.before < :most),
            cut as materialized (select w.id from weighed w where w.before >= :most),
            """ + StillNeeded.FREE + """
            gone as (   -- by an array: joined, the whole scope might be read for a few
              delete from <table> where t.scope = :scope and <id> = any(array(select f.id from free f)) returning <id>),
            passed as (   -- as far as it came
              select d.at, d.id from due d where exists (select from cut)
              union all
              select w.at, w.id from near w where not exists (select from cut))
            select case when exists (select from cut) then :limit else (select count(*) from near) end as seen,
                   (select count(*) from gone) as gone, l.at, l.id
              from (select 1) one
              left join (select p.at, p.id from passed p order by p.at desc, p.id desc limit 1) l on true
            """;

    private final Statement<Bound> bound;
    private final Statement<Batch.Row> count;
    private final Statement<Batch.Row> remove;

    /**
     * @param id what names a row
     * @param run the run it belongs to
     * @param at the order of the index behind scope and status; no row is put into it after its end
     * @param ended from when on its age counts
     * @param weight how many rows go with it, about
     */
    private EndedRows(String table, String id, String run, String at, String ended, String weight) {
        String name = "{" + table.replace(" t", "} t");
        this.bound = Statement.returning(Bound.class, named(BOUND, name, id, run, at, ended, weight));
        this.count = Statement.returning(Batch.Row.class, named(COUNT, name, id, run, at, ended, weight));
        this.remove = Statement.returning(Batch.Row.class, named(REMOVE, name, id, run, at, ended, weight));
    }

    private static String named(
            String sql, String table, String id, String run, String at, String ended, String weight) {
        return sql.replace("<table>", table)
                .replace("<id>", id)
                .replace("<run>", run)
                .replace("<at>", at)
                .replace("<ended>", ended)
                .replace("<weight>", weight);
    }

    private static EndedRows of(Kind kind) {
        return switch (kind) {
            case RUNS -> RUNS;
            case JOURNALS -> JOURNALS;
            case CHECKPOINTS -> CHECKPOINTS;
            case APPROVALS -> APPROVALS;
            case AGENTS -> AGENTS;
            default -> throw new IllegalArgumentException("No rows of runs: " + kind);
        };
    }

    /** Empty if nothing is due at all. */
    static Optional<Due> due(Transactions transactions, String operation, Scope scope, Ended which, Keep keep) {
        EndedRows rows = of(which.kind());
        return transactions
                .single(
                        operation,
                        Effect.READ,
                        s -> bounded(s.call(rows.bound), keep)
                                .set("scope", scope.id())
                                .set("status", which.status())
                                .first())
                .map(bound -> rows.due(transactions, operation, scope, which.status(), bound));
    }

    static Statements.Call<Bound> bounded(Statements.Call<Bound> call, Keep keep) {
        return call.set("age", keep.time().map(time -> time.toMillis()).orElse(null))
                .set(
                        "newest",
                        keep.newest().isEmpty()
                                ? null
                                : (Long) (long) keep.newest().getAsInt());
    }

    private Due due(Transactions transactions, String operation, Scope scope, String status, Bound bound) {
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return transactions.single(
                        operation,
                        Effect.READ,
                        s -> batch(s.call(count).set("status", status), scope, bound, after, rows));
            }

            @Override
            public Batch remove(Position after, int rows) {
                return transactions.single(
                        operation,
                        Effect.WRITE,
                        s -> batch(
                                s.call(remove).set("status", status).set("most", (long) rows * WEIGHT),
                                scope,
                                bound,
                                after,
                                rows));
            }
        };
    }

    static Batch batch(Statements.Call<Batch.Row> call, Scope scope, Bound bound, Position after, int limit) {
        return call.set("scope", scope.id())
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
