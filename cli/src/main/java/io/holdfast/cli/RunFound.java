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
               from <rows>
              where (cast(? as text) is null or t.scope = ?)
                and (cast(? as text) is null   -- in Turkish an I has no dot: case is that of bytes, as the column's is
                     or lower(t.status) = lower(cast(? as text) collate "C"))
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

    /** Approvals that were answered, taken back or lapsed, and of which nobody has heard who took their run: an index of each. */
    private static final String ANSWERED = """
            (select u.scope, u.run_id, max(u.at) as at
               from (select a.scope, a.run_id, coalesce(a.withdrawn_at, a.decided_at) as at from {schema}.approval a
                      where not a.heard and a.status in ('approved', 'rejected', 'withdrawn')
                     union all
                     select a.scope, a.run_id, a.expires_at from {schema}.approval a
                      where not a.heard and a.status = 'pending' and a.expires_at <= (select clock_timestamp())) u
              group by u.scope, u.run_id) w
               join {schema}.<table> t on t.scope = w.scope and t.<id> = w.run_id and t.status = 'paused'""";

    /** No claim says what it has heard: unless it was taken since, and something saved under that lease. */
    private static final String WITHOUT_JOURNAL = """
            not exists (select from {schema}.execution e
                         where e.scope = t.scope and e.id = t.<id> and e.status not in ('completed', 'failed'))
                and not exists (select from {schema}.lease x where x.scope = t.scope and x.kind = 'run' and x.id = t.<id>
                                   and x.granted_at between w.at and t.updated_at)
                and\s""" + NOBODY;

    /** As the library's list for recovery has it: {@code RunLeases.recoverable}. */
    private static final List<String> CRASHED = List.of(
            branch("execution", "id", "journal", "t.watched and " + NOBODY),
            branch(
                    "checkpoint",
                    "run_id",
                    "checkpoints",
                    "t.status = 'running' and t.parent_run_id is null and " + NOBODY),
            branch("agent_checkpoint", "run_id", "agents", "t.status in ('running', 'completed') and " + NOBODY),
            branch(ANSWERED, "execution", "id", "journal", "not t.watched and " + NOBODY),
            branch(ANSWERED, "checkpoint", "run_id", "checkpoints", WITHOUT_JOURNAL),
            branch(ANSWERED, "agent_checkpoint", "run_id", "agents", WITHOUT_JOURNAL));

    private static String branch(String table, String id, String store, String which) {
        return branch("{schema}.<table> t", table, id, store, which);
    }

    private static String branch(String rows, String table, String id, String store, String which) {
        return BRANCH.replace("<rows>", rows)
                .replace("<table>", table)
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
