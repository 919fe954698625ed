package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** The lease table has not been frozen for longer than the server means to allow. */
record VacuumAgeCheck() implements Check {

    private static final String AGE = """
            select age(c.relfrozenxid) as age, current_setting('autovacuum_freeze_max_age') as allowed
              from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = ? and c.relname = 'lease' and c.relkind = 'r'
               and age(c.relfrozenxid) > cast(current_setting('autovacuum_freeze_max_age') as integer)
            """;

    @Override
    public String name() {
        return "row-age";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                AGE,
                row -> trouble(
                        "the oldest row of the lease table is " + row.getLong("age")
                                + " transactions old, more than the " + row.getLong("allowed")
                                + " of autovacuum_freeze_max_age",
                        "when transaction numbers run out, at two thousand million, the server takes no more writes",
                        "see that autovacuum is on and gets through, end transactions that are open for long and forgotten"
                                + " replication slots; then vacuum the table"),
                session.schema().value());
    }
}
