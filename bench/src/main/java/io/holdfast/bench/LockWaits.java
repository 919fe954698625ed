package io.holdfast.bench;

import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;

/** Looks every few milliseconds at who waits for a lock that clean-up holds or is queued for, and for how long by then. */
final class LockWaits implements AutoCloseable {

    private static final String WAITING = """
            select count(*), coalesce(max(extract(epoch from clock_timestamp() - l.waitstart) * 1000), 0)
              from pg_locks l
             where not l.granted
               and exists (select from pg_stat_activity c where c.application_name = ? and c.pid = any(pg_blocking_pids(l.pid)))
            """;

    private final Connection connection;
    private final PreparedStatement look;
    private final Thread watcher = new Thread(this::watch, "lock-waits");
    private volatile boolean on;
    private volatile boolean over;
    private int looks;
    private int seen;
    private double longest;

    LockWaits(TestDatabase database, String cleaner) throws SQLException {
        connection = database.connect();
        look = connection.prepareStatement(WAITING);
        look.setString(1, cleaner);
        watcher.start();
    }

    void begin() {
        on = true;
    }

    void end() {
        on = false;
    }

    private void watch() {
        try {
            while (!over) {
                if (on) {
                    look();
                }
                Thread.sleep(5);
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void look() throws SQLException {
        try (var rows = look.executeQuery()) {
            rows.next();
            looks++;
            seen += rows.getInt(1);
            longest = Math.max(longest, rows.getDouble(2));
        }
    }

    String report() {
        return String.format(
                Locale.ROOT,
                "waits     for a lock of clean-up's: seen %d times in %d looks, the longest so far %.1f ms%n",
                seen,
                looks,
                longest);
    }

    @Override
    public void close() throws SQLException, InterruptedException {
        over = true;
        watcher.join();
        connection.close();
    }
}
