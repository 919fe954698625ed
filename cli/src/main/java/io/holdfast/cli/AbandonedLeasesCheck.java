package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Leases that ran out and that nobody has taken over since. */
record AbandonedLeasesCheck() implements Check {

    // That of a workflow or run which has ended was only not released; a crashed run is told of by a check of its own.
    private static final String ABANDONED = """
            select count(*) as n, min(x.expires_at) as since,
                   (array_agg(x.kind || ' ' || x.id order by x.expires_at))[1] as oldest
              from {schema}.lease x
             where x.owner is not null and x.expires_at < clock_timestamp() - interval '1 hour'
               and not exists (select from {schema}.workflow w
                                where w.scope = x.scope and w.id = x.id and x.kind = 'workflow' and w.finished_at is not null)
               and not (x.kind = 'run' and (
                     exists (select from {schema}.execution e where e.scope = x.scope and e.id = x.id)
                     or exists (select from {schema}.checkpoint c where c.scope = x.scope and c.run_id = x.id)
                     or exists (select from {schema}.agent_checkpoint g where g.scope = x.scope and g.run_id = x.id)))
            having count(*) > 0
            """;

    @Override
    public String name() {
        return "abandoned-leases";
    }

    @Override
    public boolean needsTables() {
        return true;
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                ABANDONED,
                row -> trouble(
                        "leases that expired over an hour ago and were not taken over: " + row.getLong("n")
                                + ", the oldest "
                                + Cell.safe(row.getString("oldest")) + " since "
                                + Cell.text(Session.time(row, "since")),
                        "their holders are gone, and nobody goes on with the work",
                        "see that workers are running and look for work that was left; holdfast lease list --state"
                                + " expired names it; holdfast cleanup removes what is old"));
    }
}
