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

    /** Whether two statements are one transaction: their transaction began at the same microsecond, or it was another's. */
    static boolean isInTransaction(Connection connection) throws SQLException {
        return transactionStart(connection).equals(transactionStart(connection));
    }

    private static String transactionStart(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select cast(transaction_timestamp() as text)")) {
            row.next();
            return row.getString(1);
        }
    }
}
