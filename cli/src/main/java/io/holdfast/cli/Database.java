package io.holdfast.cli;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.SqlStates;
import io.holdfast.migrations.SchemaName;
import io.holdfast.repository.Endpoint;
import io.holdfast.repository.Setting;
import io.holdfast.repository.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The database that the settings name, and the two ways to use it. */
final class Database {

    /** How long counting may take, where a table has to be read as a whole. */
    static final Duration LONG = Duration.ofMinutes(10);

    private final Settings settings;
    private final OpenConnections connections;

    Database(Settings settings, OpenConnections connections) {
        this.settings = settings;
        this.connections = connections;
        endpoint();
    }

    /** What is done within a transaction. */
    interface Work<T> {
        T in(Session session) throws SQLException;
    }

    SchemaName schema() {
        return settings.schema();
    }

    Settings settings() {
        return settings;
    }

    /** In a read-only transaction; a statement may take as long as the settings say. */
    <T> T read(String operation, Work<T> work) {
        return read(operation, settings.commandTimeout(), work);
    }

    <T> T read(String operation, Duration limit, Work<T> work) {
        try (Connection connection = dataSource().getConnection()) {
            begin(connection, "set transaction read only", limit);
            return work.in(new Session(connection, schema()));
        } catch (SQLException e) {
            throw SqlStates.classify(operation, e);
        }
    }

    /** In a transaction that is committed if the work does not throw. */
    <T> T write(String operation, Work<T> work) {
        boolean committing = false;
        try (Connection connection = dataSource().getConnection()) {
            begin(connection, "set transaction isolation level read committed", settings.commandTimeout());
            T result = work.in(new Session(connection, schema()));
            committing = true;
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw SqlStates.classify(operation, e, committing);
        }
    }

    private static void begin(Connection connection, String kind, Duration limit) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(kind);
        }
        try (var bound = connection.prepareStatement("select set_config('statement_timeout', ?, true)")) {
            bound.setString(1, Long.toString(limit.toMillis()));
            bound.execute();
        }
    }

    /** A connection at a time, not pooled; each is known to who breaks off. */
    DataSource dataSource() {
        Endpoint endpoint = endpoint();
        PGSimpleDataSource source = new Known(connections);
        try {
            source.setURL(endpoint.url());
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(
                    Setting.URL.variable(), "be a URL that the driver takes"); // its text has the URL
        }
        source.setUser(endpoint.user());
        source.setPassword(endpoint.password());
        source.setApplicationName("holdfast-cli");
        int seconds = (int) settings.connectTimeout().plusMillis(999).toSeconds();
        source.setConnectTimeout(seconds);
        source.setLoginTimeout(seconds);
        source.setTcpKeepAlive(true);
        if (!settings.namedStatements()) {
            source.setPrepareThreshold(0);
        }
        return source;
    }

    /** The same for many statements, one after the other: whoever is done with a connection leaves it to the next. */
    Reused reused() {
        return new Reused(dataSource());
    }

    private Endpoint endpoint() {
        return settings.endpoint()
                .orElseThrow(() -> Refusal.usage("no database is named: set " + Setting.URL.variable() + ", "
                        + Setting.USER.variable() + " and " + Setting.PASSWORD.variable() + ", or give --config FILE"));
    }

    private static final class Known extends PGSimpleDataSource {

        private static final long serialVersionUID = 1L;

        private final transient OpenConnections connections;

        Known(OpenConnections connections) {
            this.connections = connections;
        }

        @Override
        public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
            Connection connection = super.getConnection(user, password);
            connections.add(connection);
            return connection;
        }
    }
}
