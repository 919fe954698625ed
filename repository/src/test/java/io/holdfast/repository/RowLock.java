package io.holdfast.repository;

import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;

/** Somebody else's transaction, open, with a row locked. */
record RowLock(Connection connection) implements AutoCloseable {

    /** @param sql what is run in that transaction: a {@code select … for update}, or a write */
    static RowLock by(TestDatabase database, String sql) throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return new RowLock(connection);
    }

    static RowLock onWorkflow(TestDatabase database, Worker worker) throws SQLException {
        return by(
                database,
                "select from holdfast.workflow where scope = '"
                        + worker.stores().scope().id() + "' and id = '" + worker.id() + "' for update");
    }

    static RowLock onLease(TestDatabase database, Worker worker) throws SQLException {
        return by(
                database,
                "select from holdfast.lease where scope = '"
                        + worker.stores().scope().id() + "' and id = '" + worker.id() + "' for update");
    }

    /** Kills the process of the statement that waits for this lock, once one does. */
    void killWhoWaits() throws SQLException {
        int pid = Background.awaitBlocked(connection);
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_terminate_backend(" + pid + ")");
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
