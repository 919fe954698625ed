package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** The server's log tells times of a place. */
record TimeZoneCheck() implements Check {

    private static final String ZONE = """
            select current_setting('log_timezone') as zone from (select clock_timestamp() as at) m
             where (m.at at time zone current_setting('log_timezone')) <> (m.at at time zone 'UTC')
            """;

    @Override
    public String name() {
        return "time-zone";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                ZONE,
                row -> notice(
                        "the server writes its log in the time of " + Cell.safe(row.getString("zone")),
                        "Holdfast's times are moments and are not touched by it; who compares logs at night is: this tool"
                                + " shows UTC",
                        "have the server log in UTC (log_timezone), or keep it in mind"));
    }
}
