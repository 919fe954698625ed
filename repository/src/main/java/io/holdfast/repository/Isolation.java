package io.holdfast.repository;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What transactions are like here, when nobody says otherwise: by a setting of the server, the database, the role or the pool. */
final class Isolation {

    private Isolation() {}

    static boolean isReadCommitted(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_setting('default_transaction_isolation')")) {
            return row.next() && row.getString(1).equals("read committed");
        }
    }

    /** For this transaction, whose first statement this has to be. */
    static void beReadCommitted(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set transaction isolation level read committed");
        }
    }

    /** Whether two statements are one transaction: what was set for the first one's is still there for the second. */
    static boolean isInTransaction(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select set_config('holdfast.in_transaction', 'yes', true)");
            try (ResultSet row =
                    statement.executeQuery("select coalesce(current_setting('holdfast.in_transaction', true), '')")) {
                return row.next() && row.getString(1).equals("yes");
            }
        }
    }
}
