package io.holdfast.cli;

import io.holdfast.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one store has of a run, and how the run's lease stands by the database's clock. */
record RunFound(
        String scope,
        String id,
        String store,
        String status,
        long revision,
        String lease,
        @Nullable String owner,
        Instant updatedAt) {

    static final Page.Columns<RunFound> COLUMNS = new Page.Columns<>() {
        @Override
        public String[] names() {
            return new String[] {"scope", "id", "store", "status", "revision", "lease", "owner", "updated_at"};
        }

        @Override
        public @Nullable Object[] cells(RunFound r) {
            return new @Nullable Object[] {r.scope, r.id, r.store, r.status, r.revision, r.lease, r.owner, r.updatedAt};
        }

        @Override
        public List<String> place(RunFound r) {
            return List.of(r.scope, r.id, r.store);
        }
    };

    /** Each along its key, so that a page reads a page of each; one more, since the place itself is left out at the end. */
    private static final String BRANCH = """
            (select t.scope, t.<id> as id, '<store>' as store, t.status, t.revision, t.updated_at
               from {schema}.<table> t
              where (cast(? as text) is null or t.scope = ?) and (cast(? as text) is null or t.status = ?)
                and (t.scope, t.<id>) >= (?, ?) and <which>
              order by t.scope, t.<id> limit ? + 1)
            """;

    private static final String NOBODY = """
            not exists (select from {schema}.lease x where x.scope = t.scope and x.kind = 'run' and x.id = t.<id>
                           and x.owner is not null and x.expires_at > clock_timestamp())""";

    private static final String PAGE = """
            select r.scope, r.id, r.store, r.status, r.revision, r.updated_at, l.owner,
                   case when l.token is null then 'none' when l.owner is null then 'free'
                        when l.expires_at > clock_timestamp() then 'held' else 'expired' end as lease
              from (<branches>) r
              left join {schema}.lease l on l.scope = r.scope and l.kind = 'run' and l.id = r.id
             where (r.scope, r.id, r.store) > (?, ?, ?)
             order by r.scope, r.id, r.store limit ?
            """;

    private static final List<String> ALL = List.of(
            branch("execution", "id", "journal", "true"),
            branch("checkpoint", "run_id", "checkpoints", "true"),
            branch("agent_checkpoint", "run_id", "agents", "true"),
            branch("run", "id", "runs", "true"));

    /** As the stores' own lists for recovery have it. */
    private static final List<String> CRASHED = List.of(
            branch("execution", "id", "journal", "t.watched and " + NOBODY),
            branch(
                    "checkpoint",
                    "run_id",
                    "checkpoints",
                    "t.status = 'running' and t.parent_run_id is null and " + NOBODY),
            branch("agent_checkpoint", "run_id", "agents", "t.status in ('running', 'completed') and " + NOBODY));

    private static String branch(String table, String id, String store, String which) {
        return BRANCH.replace("<table>", table)
                .replace("<store>", store)
                .replace("<which>", which)
                .replace("<id>", id);
    }

    static List<RunFound> list(
            Session session,
            boolean crashed,
            @Nullable String scope,
            @Nullable String status,
            List<String> after,
            int limit)
            throws SQLException {
        List<String> branches = crashed ? CRASHED : ALL;
        List<@Nullable Object> parameters = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            parameters.add(scope);
            parameters.add(scope);
            parameters.add(status);
            parameters.add(status);
            parameters.add(after.get(0));
            parameters.add(after.get(1));
            parameters.add(limit);
        }
        parameters.addAll(after);
        parameters.add(limit);
        return session.list(
                PAGE.replace("<branches>", String.join(" union all ", branches)), RunFound::of, parameters.toArray());
    }

    /** What each store has of it. */
    static List<RunFound> find(Session session, Scope scope, String id) throws SQLException {
        return list(session, false, scope.id(), null, List.of(scope.id(), id, ""), ALL.size()).stream()
                .filter(row -> row.id.equals(id))
                .toList();
    }

    private static RunFound of(ResultSet row) throws SQLException {
        return new RunFound(
                row.getString("scope"),
                row.getString("id"),
                row.getString("store"),
                row.getString("status"),
                row.getLong("revision"),
                row.getString("lease"),
                row.getString("owner"),
                Session.time(row, "updated_at"));
    }
}
