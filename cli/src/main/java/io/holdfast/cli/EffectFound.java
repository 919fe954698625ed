package io.holdfast.cli;

import io.holdfast.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An effect that is not settled: it may have happened, and nobody has said. */
record EffectFound(
        String scope,
        String run,
        long ordinal,
        String step,
        long index,
        String state,
        String runStatus,
        String definitionDigest,
        @Nullable String owner,
        String idempotencyKey,
        String effectId,
        Instant updatedAt) {

    static final Page.Columns<EffectFound> COLUMNS = new Page.Columns<>() {
        @Override
        public String[] names() {
            return new String[] {
                "scope",
                "run",
                "step",
                "index",
                "state",
                "run_status",
                "held_by",
                "idempotency_key",
                "effect",
                "updated_at"
            };
        }

        @Override
        public @Nullable Object[] cells(EffectFound f) {
            return new @Nullable Object[] {
                f.scope,
                f.run,
                f.step,
                f.index,
                f.state,
                f.runStatus,
                f.owner,
                f.idempotencyKey,
                f.effectId,
                f.updatedAt
            };
        }

        @Override
        public List<String> place(EffectFound f) {
            return List.of(f.scope, f.run, Long.toString(f.ordinal));
        }
    };

    private static final String COLUMN = """
            select f.scope, f.run_id, f.ordinal, f.step_key, f.index, f.status, e.status as run_status, e.definition_digest,
                   f.idempotency_key, f.effect_id, f.updated_at,
                   (select x.owner from {schema}.lease x where x.scope = f.scope and x.kind = 'run' and x.id = f.run_id
                       and x.expires_at > clock_timestamp()) as owner
              from {schema}.execution e join {schema}.execution_effect f on f.scope = e.scope and f.run_id = e.id
            """;

    private static final String PAGE = """
               and (cast(? as text) is null or e.scope = ?) and (cast(? as text) is null or e.id = ?)
               and f.status in ('pending', 'indeterminate') and (cast(? as text) is null or f.status = ?)
               and (f.scope, f.run_id, f.ordinal) > (?, ?, ?)
             order by f.scope, f.run_id, f.ordinal limit ?
            """;

    /** From the runs that are not finished, for which there is an index, to their effects. */
    private static final String UNFINISHED = COLUMN + " where e.finished_at is null\n" + PAGE;

    private static final String ALL = COLUMN + " where true\n" + PAGE;

    static List<EffectFound> list(
            Session session,
            boolean ended,
            @Nullable String scope,
            @Nullable String run,
            @Nullable String state,
            List<String> after,
            int limit)
            throws SQLException {
        return session.list(
                ended ? ALL : UNFINISHED,
                EffectFound::of,
                scope,
                scope,
                run,
                run,
                state,
                state,
                after.get(0),
                after.get(1),
                Long.parseLong(after.get(2)),
                limit);
    }

    static List<EffectFound> openOf(Session session, Scope scope, String run) throws SQLException {
        return list(session, true, scope.id(), run, null, List.of("", "", "0"), 20);
    }

    private static final String FIND = COLUMN + """
             where f.scope = ? and f.run_id = ? and f.effect_id = ?
            """;

    static Optional<EffectFound> find(Session session, Scope scope, String run, String effect) throws SQLException {
        return session.first(FIND, EffectFound::of, scope.id(), run, effect);
    }

    private static EffectFound of(ResultSet row) throws SQLException {
        return new EffectFound(
                row.getString("scope"),
                row.getString("run_id"),
                row.getLong("ordinal"),
                row.getString("step_key"),
                row.getLong("index"),
                row.getString("status"),
                row.getString("run_status"),
                row.getString("definition_digest"),
                row.getString("owner"),
                row.getString("idempotency_key"),
                row.getString("effect_id"),
                Session.time(row, "updated_at"));
    }
}
