package io.holdfast.cli;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An encoding that cannot hold every text, and a collation whose rules have changed under the indexes. */
record LocaleCheck() implements Check {

    private static final String LOCALE = """
            select pg_encoding_to_char(d.encoding) as encoding, d.datcollversion as recorded,
                   case when d.datcollversion is not null then pg_database_collation_actual_version(d.oid) end as actual
              from pg_database d where d.datname = current_database()
            """;

    private record Locale(
            String encoding,
            @Nullable String recorded,
            @Nullable String actual) {}

    @Override
    public String name() {
        return "locale";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        Locale locale = session.list(
                        LOCALE,
                        row -> new Locale(
                                row.getString("encoding"), row.getString("recorded"), row.getString("actual")))
                .get(0);
        List<Finding> findings = new ArrayList<>();
        if (!locale.encoding().equals("UTF8")) {
            findings.add(trouble(
                    "the database's encoding is " + locale.encoding(),
                    "ids, reasons and states may hold any character of Unicode; what the encoding lacks is refused",
                    "make a database with encoding UTF8 and move there"));
        }
        String recorded = locale.recorded();
        if (recorded != null && !recorded.equals(locale.actual())) {
            findings.add(
                    trouble(
                            "the collation's version was " + recorded + " and is now " + locale.actual(),
                            "the operating system sorts text differently than when the indexes were made. Holdfast's columns are of"
                                    + " collation C and not touched by it; your own indexes on text may miss rows or keep doubles",
                            "reindex what sorts text by the database's collation, then alter database ... refresh collation version"));
        }
        return findings;
    }
}
