package io.holdfast.cli;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** This machine's clock and the database's tell different times. */
record ClockCheck() implements Check {

    private static final Duration TOLERATED = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "clock";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        Instant before = examination.clock().instant();
        Instant database = session.list("select clock_timestamp() as at", row -> Session.time(row, "at"))
                .get(0);
        Instant after = examination.clock().instant();
        // The question took a while: what lies between is no difference.
        Duration late = Duration.between(after, database);
        Duration early = Duration.between(database, before);
        Duration skew = late.compareTo(early) > 0 ? late : early;
        if (skew.compareTo(TOLERATED) <= 0) {
            return List.of();
        }
        return List.of(trouble(
                "this machine's clock is " + skew.toSeconds() + " s " + (late.equals(skew) ? "behind" : "ahead of")
                        + " the database's",
                "leases are safe, they go by the database's clock alone; but times in the states that applications write, and"
                        + " in logs, do not fit those in the tables",
                "let both machines follow a time server (chrony or systemd-timesyncd)"));
    }
}
