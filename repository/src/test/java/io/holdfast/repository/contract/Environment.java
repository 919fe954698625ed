package io.holdfast.repository.contract;

import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Where the contracts are tested: whose connections, whose transactions, which schema. There is one of each kind in a JVM,
 * since each costs a session factory; a test keeps to a scope of its own.
 */
abstract class Environment {

    private static final Map<String, Environment> ALL = new ConcurrentHashMap<>();

    private final TestDatabase database = TestDatabase.get();
    private final String schema;
    private final Connection bystander;

    Environment(String schema) {
        this.schema = schema;
        try {
            bystander = database.connect();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The one of that name, made by the first who asks. */
    static Environment once(String name, Supplier<Environment> maker) {
        return ALL.computeIfAbsent(name, n -> maker.get());
    }

    /** The facade under test. Only to be used inside {@link #perform} where that makes the transaction. */
    abstract Holdfast holdfast();

    /** Makes a call as an application of this kind would, and has it committed when this returns. */
    <R> R perform(Supplier<R> call) {
        return call.get();
    }

    final TestDatabase database() {
        return database;
    }

    final String schema() {
        return schema;
    }

    /** As a connection that has nothing to do with the facade sees it. Tables are written {@code {lease}}. */
    final String value(String sql, Object... values) {
        boolean interrupted = Thread.interrupted(); // of a virtual thread it would close the socket
        try (PreparedStatement statement = prepared(bystander, sql, values);
                var rows = statement.executeQuery()) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new AssertionError(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Changes one row past the stores. */
    final void changeRow(String sql, Object... values) {
        try (PreparedStatement statement = prepared(bystander, sql, values)) {
            int rows = statement.executeUpdate();
            if (rows != 1) {
                throw new AssertionError(rows + " rows changed by " + sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The statement with its tables named as in this environment. */
    final PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        String quoted = '"' + schema.replace("\"", "\"\"") + '"';
        PreparedStatement statement =
                connection.prepareStatement(sql.replaceAll("\\{(\\w+)}", quoted.replace("$", "\\$") + ".$1"));
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
