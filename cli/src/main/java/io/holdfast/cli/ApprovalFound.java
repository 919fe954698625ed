package io.holdfast.cli;

import io.holdfast.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An approval without its payload and its answer, and what became of the effect of the step that consumed it. */
record ApprovalFound(
        String scope,
        String id,
        String run,
        String state,
        boolean expired,
        @Nullable String decidedBy,
        @Nullable String consumedBy,
        @Nullable String effect,
        Instant createdAt,
        Map<String, @Nullable Object> facts) {

    static final Page.Columns<ApprovalFound> COLUMNS = new Page.Columns<>() {
        @Override
        public String[] names() {
            return new String[] {
                "scope", "id", "run", "state", "expired", "decided_by", "consumed_by", "effect", "created_at"
            };
        }

        @Override
        public @Nullable Object[] cells(ApprovalFound a) {
            return new @Nullable Object[] {
                a.scope, a.id, a.run, a.state, a.expired, a.decidedBy, a.consumedBy, a.effect, a.createdAt
            };
        }

        @Override
        public List<String> place(ApprovalFound a) {
            return List.of(a.scope, a.id);
        }
    };

    private static final String COLUMN = """
            select a.scope, a.id, a.run_id, a.status, coalesce(a.expires_at <= clock_timestamp(), false) as expired, a.digest,
                   a.role, a.created_at, a.expires_at, a.decided_by, a.decided_as, a.decided_reason, a.decided_at,
                   a.consumed_by, a.consumed_token, a.consumed_at, a.withdrawn_by, a.withdrawn_reason, a.withdrawn_at,
                   (select f.status from {schema}.execution_effect f
                     where f.scope = a.scope and f.run_id = a.run_id and f.step_key = a.consumed_by
                     order by f.status in ('pending', 'indeterminate') desc, f.ordinal limit 1) as effect
              from {schema}.approval a
            """;

    private static final String LIST = COLUMN + """
             where (cast(? as text) is null or a.scope = ?) and (cast(? as text) is null or a.status = ?)
               and (cast(? as text) is null or a.run_id = ?) and (not ? or a.expires_at <= clock_timestamp())
               and (a.scope, a.id) > (?, ?)
             order by a.scope, a.id limit ?
            """;

    static List<ApprovalFound> list(
            Session session,
            @Nullable String scope,
            @Nullable String state,
            @Nullable String run,
            boolean expired,
            List<String> after,
            int limit)
            throws SQLException {
        return session.list(
                LIST,
                ApprovalFound::of,
                scope,
                scope,
                state,
                state,
                run,
                run,
                expired,
                after.get(0),
                after.get(1),
                limit);
    }

    private static final String OF_RUN = COLUMN + """
             where a.scope = ? and a.run_id = ? order by a.created_at desc, a.id limit 20
            """;

    /** The latest first. */
    static List<ApprovalFound> ofRun(Session session, Scope scope, String run) throws SQLException {
        return session.list(OF_RUN, ApprovalFound::of, scope.id(), run);
    }

    private static final String FIND = COLUMN + """
             where a.scope = ? and a.id = ?
            """;

    static Optional<ApprovalFound> find(Session session, Scope scope, String id) throws SQLException {
        return session.first(FIND, ApprovalFound::of, scope.id(), id);
    }

    private static ApprovalFound of(ResultSet row) throws SQLException {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("scope", row.getString("scope"));
        facts.put("id", row.getString("id"));
        facts.put("run", row.getString("run_id"));
        facts.put("state", row.getString("status"));
        facts.put("expired", row.getBoolean("expired"));
        facts.put("digest", row.getString("digest"));
        facts.put("role", row.getString("role"));
        facts.put("created_at", Session.time(row, "created_at"));
        facts.put("expires_at", Session.instant(row, "expires_at"));
        for (String who : new String[] {"decided_by", "decided_as", "decided_reason"}) {
            facts.put(who, row.getString(who));
        }
        facts.put("decided_at", Session.instant(row, "decided_at"));
        facts.put("consumed_by", row.getString("consumed_by"));
        facts.put("consumed_token", row.getObject("consumed_token", Long.class));
        facts.put("consumed_at", Session.instant(row, "consumed_at"));
        facts.put("effect", row.getString("effect"));
        facts.put("withdrawn_by", row.getString("withdrawn_by"));
        facts.put("withdrawn_reason", row.getString("withdrawn_reason"));
        facts.put("withdrawn_at", Session.instant(row, "withdrawn_at"));
        return new ApprovalFound(
                row.getString("scope"),
                row.getString("id"),
                row.getString("run_id"),
                row.getString("status"),
                row.getBoolean("expired"),
                row.getString("decided_by"),
                row.getString("consumed_by"),
                row.getString("effect"),
                Session.time(row, "created_at"),
                facts);
    }
}
