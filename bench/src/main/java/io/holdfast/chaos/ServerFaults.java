package io.holdfast.chaos;

import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What strikes all workers. Each tells whether there was anything that it struck. */
final class ServerFaults {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** For something to strike: workers that have lost their connections have others by then. */
    private static final Duration STRIKE_PATIENCE = Duration.ofSeconds(20);

    private static final String BACKENDS =
            "select pid from pg_stat_activity where application_name = 'chaos' order by pid";

    private final ChaosServer server;
    private final TestDatabase database;

    /** One who stops or kills the server at a time. */
    private final Object turn = new Object();

    ServerFaults(ChaosServer server, TestDatabase database) {
        this.server = server;
        this.database = database;
    }

    boolean restart(long millis) throws IOException, InterruptedException {
        synchronized (turn) {
            server.stopAtOnce();
            TimeUnit.MILLISECONDS.sleep(millis);
            server.startAgain();
            server.awaitReady(PATIENCE);
            return true;
        }
    }

    boolean killBackend(int which) throws SQLException, InterruptedException {
        synchronized (turn) {
            long end = System.nanoTime() + STRIKE_PATIENCE.toNanos();
            while (System.nanoTime() < end) {
                List<Long> pids = backends();
                if (!pids.isEmpty() && server.killBackend(pids.get(which % pids.size()))) {
                    TimeUnit.MILLISECONDS.sleep(100); // the server notices
                    server.awaitReady(PATIENCE);
                    return true;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            return false;
        }
    }

    /** None, too, while the server is away. */
    private List<Long> backends() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(BACKENDS)) {
            List<Long> pids = new ArrayList<>();
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
            return pids;
        } catch (SQLException e) {
            requireAway(e);
            return List.of();
        }
    }

    /** Ends before its time if the server does, but begins when there is one. */
    boolean openTransaction(long millis) throws SQLException, InterruptedException {
        long end = System.nanoTime() + STRIKE_PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            if (wasOpen(millis)) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return false;
    }

    private boolean wasOpen(long millis) throws SQLException, InterruptedException {
        int locked = 0;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            locked += locked(statement, "lease", "granted_at");
            for (String table : List.of("workflow", "run", "execution", "workspace_session")) {
                locked += locked(statement, table, "updated_at");
            }
            TimeUnit.MILLISECONDS.sleep(millis);
            connection.rollback();
        } catch (SQLException e) {
            requireAway(e);
        }
        return locked > 0;
    }

    private static int locked(Statement statement, String table, String lastAt) throws SQLException {
        String query = "select 1 from holdfast." + table + " where ctid = (select ctid from holdfast." + table
                + " order by " + lastAt + " desc limit 1) for no key update";
        try (ResultSet row = statement.executeQuery(query)) {
            return row.next() ? 1 : 0;
        }
    }

    /** Anything else, a column that is not there, is a fault of the run itself. */
    private static void requireAway(SQLException e) throws SQLException {
        if (!isAway(e.getSQLState())) {
            throw e;
        }
    }

    /** The connection's class, and the server's words when it stops, has crashed, or is not up yet. */
    static boolean isAway(@Nullable String state) {
        return state != null
                && (state.startsWith("08") || List.of("57P01", "57P02", "57P03").contains(state));
    }
}
