package io.holdfast.migrations;

import io.holdfast.failure.InvalidValueException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Tells a pooler in transaction mode by what it does: a connection finds itself in one server session and then in another,
 * or two that are open at once in the same. Neither can happen on direct connections, nor through a pooler in session mode.
 * A pooler under load may stay unnoticed; it is asked several times, since it hands the sessions out in turn or the one used
 * last.
 */
final class OwnSessions {

    private static final int TIMES = 4;

    /** A process of a server, told from one of the same number on another server. */
    private static final String SESSION = "select pg_backend_pid() || ' ' || pg_postmaster_start_time()";

    private OwnSessions() {}

    /**
     * Changes nothing, takes no lock, and takes at most this long for each of {@value #TIMES} times two questions: a pooler
     * without a free session keeps who asks waiting.
     *
     * @throws InvalidValueException if connections do not have a session each
     */
    static void require(DataSource dataSource, Duration wait) throws SQLException {
        try (Connection one = dataSource.getConnection();
                Connection other = dataSource.getConnection()) {
            Set<String> ofOne = new HashSet<>();
            Set<String> ofOther = new HashSet<>();
            for (int time = 0; time < TIMES; time++) {
                ofOne.add(session(one, wait));
                ofOther.add(session(other, wait));
                if (ofOne.size() > 1 || ofOther.size() > 1 || ofOne.equals(ofOther)) {
                    throw new InvalidValueException(
                            "dataSource",
                            "give each connection a session of its own to migrate: these connections share sessions of"
                                    + " the server, as behind a pooler in transaction mode (PgBouncer), or in a JTA"
                                    + " transaction. Migrate outside of any, over a URL that leads straight to the"
                                    + " server, or to the pooler in session mode; once the tables are there, the"
                                    + " application may use the pooler");
                }
            }
        }
    }

    private static String session(Connection connection, Duration wait) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout((int) Math.max(1, wait.toSeconds()));
            try (ResultSet row = statement.executeQuery(SESSION)) {
                row.next();
                return row.getString(1);
            }
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }
}
