package io.holdfast.example.plain;

import io.holdfast.failure.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * Time since the start of the run, by the database's clock.
 *
 * @param start as the database said
 * @param nanos this process's clock when it asked, to tell the time since without asking again
 */
record RunClock(Instant start, long nanos) {

    static RunClock of(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            long nanos = System.nanoTime();
            try (var rows = statement.executeQuery("select clock_timestamp()")) {
                rows.next();
                return new RunClock(rows.getObject(1, OffsetDateTime.class).toInstant(), nanos);
            }
        } catch (SQLException e) {
            throw SqlStates.classify("read the clock", e);
        }
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    Instant now() {
        return start.plus(elapsed());
    }

    String seconds(Instant at) {
        return String.format(Locale.ROOT, "%.3f", Duration.between(start, at).toNanos() / 1e9);
    }
}
