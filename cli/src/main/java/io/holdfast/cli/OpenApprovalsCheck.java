package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Approvals that were consumed long ago, by a step whose effect is still open. */
record OpenApprovalsCheck() implements Check {

    // From the runs that are not finished, which are few, to their effects, and from each to its approval.
    private static final String OPEN = """
            select count(*) as n, min(a.consumed_at) as since, (array_agg(a.id order by a.consumed_at))[1] as oldest
              from {schema}.execution e
              join {schema}.execution_effect f
                on f.scope = e.scope and f.run_id = e.id and f.status in ('pending', 'indeterminate')
              join {schema}.approval a on a.scope = f.scope and a.run_id = f.run_id and a.consumed_by = f.step_key
             where e.finished_at is null and a.consumed_at < clock_timestamp() - interval '1 hour'
            having count(*) > 0
            """;

    @Override
    public String name() {
        return "open-approvals";
    }

    @Override
    public boolean needsTables() {
        return true;
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                OPEN,
                row -> trouble(
                        "approvals that were consumed over an hour ago and whose effect is still open: "
                                + row.getLong("n") + ", the oldest " + Cell.safe(row.getString("oldest")) + " since "
                                + Cell.text(Session.time(row, "since")),
                        "what a person allowed was begun, and nobody knows whether it was done",
                        "a pending effect is settled by whoever takes its run over: see that a worker runs; an indeterminate"
                                + " one by holdfast effect resolve; holdfast approval show names the run"));
    }
}
