package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Indexes that were begun and never finished. */
record IndexesCheck() implements Check {

    private static final String INVALID = """
            select i.relname from pg_index x
              join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace
             where n.nspname = ? and not (x.indisvalid and x.indisready) order by i.relname
            """;

    @Override
    public String name() {
        return "indexes";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                INVALID,
                row -> trouble(
                        "index " + Cell.safe(row.getString("relname")) + " is invalid",
                        "no query uses it, and yet every write keeps it up to date; a unique one does not keep doubles out",
                        "rebuild it with reindex index, or drop it if it is none of Holdfast's"),
                session.schema().value());
    }
}
