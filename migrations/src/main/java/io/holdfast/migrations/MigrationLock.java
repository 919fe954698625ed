package io.holdfast.migrations;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * One migrator of a schema at a time, from the look at the history to the last file. Flyway has a lock of its own, but
 * takes it too late for that: after it has made the schema and looked at what is there.
 *
 * <p>An advisory lock of a transaction that does nothing else, so that nothing is left behind when the process dies.
 */
final class MigrationLock implements AutoCloseable {

    private static final String BOUND = """
            select set_config('lock_timeout', ?, true),
                   set_config('idle_in_transaction_session_timeout', '0', true)   -- idle while Flyway works
            """;

    /** With the schema's name for the question mark also in a script that people run. */
    static final String LOCK = "select pg_advisory_xact_lock(hashtextextended('holdfast.migrate.' || ?, 0))";

    private final Connection connection;
    private final boolean autoCommit;

    private MigrationLock(Connection connection) throws SQLException {
        this.connection = connection;
        this.autoCommit = connection.getAutoCommit();
    }

    static MigrationLock take(Connection connection, SchemaName schema, Duration wait) throws SQLException {
        var lock = new MigrationLock(connection);
        try {
            lock.begin(schema, wait);
            return lock;
        } catch (SQLException e) {
            try {
                lock.close();
            } catch (SQLException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    private void begin(SchemaName schema, Duration wait) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement isolation = connection.createStatement();
                PreparedStatement bound = connection.prepareStatement(BOUND);
                PreparedStatement lock = connection.prepareStatement(LOCK)) {
            // After the wait the history must be seen as it is then, whatever the database's default is.
            isolation.execute("set transaction isolation level read committed");
            bound.setString(1, wait.toMillis() + "ms");
            bound.execute();
            lock.setString(1, schema.value());
            lock.execute();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(autoCommit);
    }
}
