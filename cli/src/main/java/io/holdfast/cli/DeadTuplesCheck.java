package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** More dead rows in the lease table than vacuum ought to leave. */
record DeadTuplesCheck() implements Check {

    private static final long TOLERATED = 10_000;

    private static final String DEAD = """
            select s.n_dead_tup as dead, s.n_live_tup as live from pg_stat_all_tables s
             where s.schemaname = ? and s.relname = 'lease' and s.n_dead_tup > ? and s.n_dead_tup > s.n_live_tup
            """;

    @Override
    public String name() {
        return "dead-tuples";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                DEAD,
                row -> trouble(
                        "the lease table has " + row.getLong("dead") + " dead rows and " + row.getLong("live")
                                + " living ones",
                        "it is written all day, and every renewal has to find its way past the dead ones",
                        "look for transactions that are open for long, which keep vacuum from removing them; see that"
                                + " autovacuum is on; then vacuum the table"),
                session.schema().value(),
                TOLERATED);
    }
}
