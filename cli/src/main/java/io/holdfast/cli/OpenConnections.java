package io.holdfast.cli;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.PGConnection;

/**
 * The connections that were opened. A server goes on with a statement whose client is gone, and keeps its locks: whoever breaks
 * off says so to the server first.
 */
final class OpenConnections {

    private final Set<Connection> all = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;
    private volatile String ending = "";

    void add(Connection connection) {
        all.add(connection);
    }

    /** Whether the process is being broken off: what fails from now on is no news. */
    boolean ended() {
        return ended;
    }

    /** Cancels what is under way and hangs up; the server rolls back. */
    void end() {
        ended = true;
        for (Connection connection : all) {
            try {
                if (!connection.isClosed()) {
                    connection.unwrap(PGConnection.class).cancelQuery();
                    connection.abort(Runnable::run);
                }
            } catch (SQLException e) {
                continue; // it is gone already
            }
        }
    }

    /** What to say if it is broken off now. */
    void ending(String text) {
        ending = text;
    }

    String ending() {
        return ending;
    }

    boolean any() {
        return all.stream().anyMatch(OpenConnections::isOpen);
    }

    private static boolean isOpen(Connection connection) {
        try {
            return !connection.isClosed();
        } catch (SQLException e) {
            return false;
        }
    }
}
