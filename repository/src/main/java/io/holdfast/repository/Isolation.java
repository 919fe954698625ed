package io.holdfast.repository;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The isolation a transaction has here when nobody says otherwise: a setting of the server, the database or the role. */
final class Isolation {

    private Isolation() {}

    static boolean isReadCommitted(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_setting('default_transaction_isolation')")) {
            return row.next() && row.getString(1).equals("read committed");
        }
    }
}
