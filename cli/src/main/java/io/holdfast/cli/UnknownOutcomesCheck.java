package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Effects of which nobody knows whether they happened. */
record UnknownOutcomesCheck() implements Check {

    private static final String UNKNOWN = """
            select e.finished_at is not null as ended, count(*) as n, min(f.updated_at) as since,
                   (array_agg(f.run_id order by f.updated_at))[1] as oldest
              from {schema}.execution_effect f join {schema}.execution e on e.scope = f.scope and e.id = f.run_id
             where f.status = 'indeterminate' group by 1 order by 1
            """;

    @Override
    public String name() {
        return "unknown-outcomes";
    }

    @Override
    public boolean needsTables() {
        return true;
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(UNKNOWN, row -> {
            String which = ": " + row.getLong("n") + ", the oldest of run " + Cell.safe(row.getString("oldest"))
                    + " since " + Cell.text(Session.time(row, "since"));
            return row.getBoolean("ended")
                    ? notice(
                            "effects of unknown outcome of runs that have ended" + which,
                            "their journals are closed, so that they stay as they are, and clean-up keeps them",
                            "nothing, or find out and write it down elsewhere; holdfast effect list --ended names them")
                    : trouble(
                            "effects of unknown outcome" + which,
                            "each may have happened or not, and its run waits until somebody says",
                            "ask the other side under the idempotency key that holdfast effect list names, and say what you"
                                    + " found: holdfast effect resolve");
        });
    }
}
