package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Runs that somebody should be at work on, and nobody has been for long. */
record CrashedRunsCheck() implements Check {

    // As the stores' own lists for recovery have it; the lease, or without one the last write, says since when.
    private static final String CRASHED = """
            with unfinished as (
              select 'journal' as store, e.scope, e.id, e.updated_at
                from {schema}.execution e where e.watched
              union all
              select 'checkpoints', c.scope, c.run_id, c.updated_at
                from {schema}.checkpoint c where c.status = 'running' and c.parent_run_id is null
              union all
              select 'agents', g.scope, g.run_id, g.updated_at
                from {schema}.agent_checkpoint g where g.status in ('running', 'completed')),
            left_alone as (
              select u.store, u.id, greatest(u.updated_at, x.expires_at) as since
                from unfinished u left join {schema}.lease x on x.scope = u.scope and x.kind = 'run' and x.id = u.id
               where greatest(u.updated_at, x.expires_at) < clock_timestamp() - interval '1 hour')
            select l.store, count(*) as n, min(l.since) as since, (array_agg(l.id order by l.since))[1] as oldest
              from left_alone l group by l.store order by l.store
            """;

    @Override
    public String name() {
        return "crashed-runs";
    }

    @Override
    public boolean needsTables() {
        return true;
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                CRASHED,
                row -> trouble(
                        "runs of the " + row.getString("store")
                                + " that are unfinished and in nobody's hands for over an"
                                + " hour: " + row.getLong("n") + ", the oldest " + Cell.safe(row.getString("oldest"))
                                + " since " + Cell.text(Session.time(row, "since")),
                        "their workers died, and nobody has taken them over: what they had begun stays half done",
                        "see that a worker runs that recovers them; holdfast run list --crashed names them, and holdfast"
                                + " run show says where each stands"));
    }
}
