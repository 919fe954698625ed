package io.holdfast.repository.race;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Another session with a transaction of its own, that holds what it has locked or written until it is told to end. */
final class Rival implements AutoCloseable {

    private final Connection connection;
    private final String scope;

    Rival(Connection connection, String scope) throws SQLException {
        this.connection = connection;
        this.scope = scope;
        connection.setAutoCommit(false);
    }

    /** Locks one row as strongly as there is, and changes nothing. */
    Rival lock(String table, String id) {
        return run("select from holdfast." + table + " where " + row(table, id) + " for update");
    }

    Rival update(String table, String id, String assignments) {
        return run("update holdfast." + table + " set " + assignments + " where " + row(table, id));
    }

    Rival delete(String table, String id) {
        return run("delete from holdfast." + table + " where " + row(table, id));
    }

    /** Runs SQL in which {@code :scope} stands for the race's scope. */
    Rival run(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.replace(":scope", "'" + scope + "'"));
            return this;
        } catch (SQLException e) {
            throw new IllegalStateException("The rival's SQL failed", e);
        }
    }

    static String row(String table, String id) {
        String column = switch (table) {
            case "idempotency_key" -> "key";
            case "agent_checkpoint", "checkpoint", "checkpoint_entry" -> "run_id";
            default -> "id";
        };
        return "scope = :scope and " + column + " = '" + id + "'";
    }

    /** Commits, and tells what all tables held then. */
    String commit() {
        try {
            String dump = Dump.of(connection, scope);
            connection.commit();
            return dump;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void rollback() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
