package io.holdfast.example.quarkus;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What is committed, as seen past the application, its pools and Hibernate. */
@Singleton
class Stored {

    @ConfigProperty(name = "quarkus.datasource.jdbc.url")
    String url;

    @ConfigProperty(name = "quarkus.datasource.username")
    String user;

    @ConfigProperty(name = "quarkus.datasource.password")
    String password;

    boolean hasRow(String id) {
        return !"0".equals(value("select count(*) from purchase_order where id = ?", id));
    }

    boolean hasWorkflow(String id) {
        return !"0".equals(value("select count(*) from holdfast.workflow where id = ?", id));
    }

    String revision(String id) {
        return value("select revision from holdfast.workflow where id = ?", id);
    }

    String item(String id) {
        return value("select item from purchase_order where id = ?", id);
    }

    String stage(String id) {
        return value("select stage from purchase_order where id = ?", id);
    }

    void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The first column of the first row, as text. */
    String value(String sql, String id) {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : "";
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
