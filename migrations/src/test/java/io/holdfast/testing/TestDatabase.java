package io.holdfast.testing;

import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database on the test server, under a name that no other test and no other JVM has, dropped on {@link #close()}.
 *
 * <p>{@code migrated} copies a template, so that a test pays the migration once per JVM and some 50 ms for its own
 * database. Connections are not pooled. Their session's time zone is not the JVM's.
 *
 * <p>With a {@link TestPooler} in the JVM, {@code dataSource}, {@code url}, {@code host} and {@code port} lead through it;
 * {@code connect} and what sets up and looks at a database does not.
 */
public final class TestDatabase implements AutoCloseable {

    /** The schema that Holdfast uses unless told otherwise. */
    public static final String SCHEMA = "holdfast";

    /** More for the driver: {@code -Dholdfast.test.driver=autosave=always}. */
    private static final String PARAMETERS =
            System.getProperty("holdfast.test.driver", "").replaceAll("^(?=.)", "&");

    /** Tables of a later release: {@code -Dholdfast.test.schema=}, a file of SQL or, for made-up ones, {@code next}. */
    private static final String OTHER_SCHEMA = System.getProperty("holdfast.test.schema", "");

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Map<String, String> TEMPLATES = new ConcurrentHashMap<>();
    private static final long PID = ProcessHandle.current().pid();
    private static final String RUN = Long.toString(System.nanoTime() & 0xffffff, 36);

    private final @Nullable TestPooler pooler = TestPooler.get();
    private final TestServer server;
    private final String name;
    private final String user;
    private final String password;

    /** Of a database that lasts: others are dropped, or copied while nobody may be connected. */
    private final @Nullable KeptConnection kept;

    private TestDatabase(TestServer server, String name, String user, String password, boolean lasts) {
        this.server = server;
        this.name = name;
        this.user = user;
        this.password = password;
        this.kept = lasts ? new KeptConnection(this::connect) : null;
    }

    /** A database of this JVM that all who ask share, migrated, never dropped. Keep to a scope of your own in it. */
    public static TestDatabase get() {
        return Shared.DATABASE;
    }

    /** A database with nothing in it. */
    public static TestDatabase empty(String purpose) {
        return create(purpose, "");
    }

    /** An empty database whose text sorts and folds by an ICU locale, such as {@code tr}. */
    public static TestDatabase emptyWithLocale(String purpose, String icuLocale) {
        return create(
                purpose, " template template0 encoding 'UTF8' locale_provider icu icu_locale '" + icuLocale + "'");
    }

    /** A database with the tables of {@code Components.own()} in schema {@value #SCHEMA}. */
    public static TestDatabase migrated(String purpose) {
        return migrated(purpose, SCHEMA);
    }

    /** A database with the tables of {@code Components.own()} in a schema of this name. */
    public static TestDatabase migrated(String purpose, String schema) {
        return create(purpose, migratedAs(schema));
    }

    /** A database that begins with all that is in this one, to which nobody may be connected meanwhile. */
    public TestDatabase copy(String purpose) {
        return create(purpose, " template " + name);
    }

    /** A connection source for the owner, a superuser, as an application has it. Pools nothing itself. */
    public DataSource dataSource() {
        return dataSource(host(), port());
    }

    /** The same past any pooler: for migrations, and for whoever looks on. */
    public DataSource directDataSource() {
        return dataSource(server.host(), server.port());
    }

    /** The same through another port of this machine, such as a proxy's. */
    DataSource dataSource(String host, int port) {
        var source = new ElsewhereDataSource();
        source.setURL(url(host, port));
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    public Connection connect() throws SQLException {
        return directDataSource().getConnection();
    }

    /** Runs statements as the owner, each by itself. */
    public void execute(String... statements) {
        try {
            connected(connection -> {
                try (Statement statement = connection.createStatement()) {
                    for (String sql : statements) {
                        statement.execute(sql);
                    }
                    return statements.length;
                }
            });
        } catch (SQLException e) {
            throw new AssertionError("set-up failed: " + e.getMessage(), e);
        }
    }

    /** The first column of the first row, as text; null if there is none. */
    public @Nullable String value(String query) {
        try {
            return connected(connection -> {
                        try (Statement statement = connection.createStatement();
                                var rows = statement.executeQuery(query)) {
                            return Optional.ofNullable(rows.next() ? rows.getString(1) : null);
                        }
                    })
                    .orElse(null);
        } catch (SQLException e) {
            throw new AssertionError("query failed: " + e.getMessage(), e);
        }
    }

    private <T> T connected(KeptConnection.Work<T> work) throws SQLException {
        if (kept != null) {
            return kept.lend(work);
        }
        try (Connection connection = connect()) {
            return work.on(connection);
        }
    }

    /**
     * This database as seen by a new login role that may do nothing but what {@code grants} say, each with {@code %s}
     * for the role's name: {@code "grant usage on schema holdfast to %s"}. Closing it drops the role, not the database.
     */
    public TestDatabase as(String... grants) {
        String role = unique("role");
        execute("create role " + role + " login password 'limited'");
        for (String grant : grants) {
            execute(grant.formatted(role));
        }
        return new TestDatabase(server, name, role, "limited", false);
    }

    /** As the role that an application runs under: what {@code SchemaCheck} documents, and nothing else. */
    public TestDatabase asRuntimeRole(String schema) {
        String quoted = '"' + schema.replace("\"", "\"\"") + '"';
        return as(
                "grant usage on schema " + quoted.replace("%", "%%") + " to %s",
                "grant select, insert, update, delete on all tables in schema " + quoted.replace("%", "%%") + " to %s");
    }

    public String url() {
        return url(host(), port());
    }

    /** The same through another port of this machine, such as a proxy's. */
    String url(String host, int port) {
        String unnamed = pooler != null && port != server.port() ? "&prepareThreshold=0" : "";
        return "jdbc:postgresql://" + host + ":" + port + "/" + name + "?sslmode=disable" + unnamed + PARAMETERS;
    }

    public String host() {
        return pooler == null ? server.host() : pooler.host();
    }

    public int port() {
        return pooler == null ? server.port() : pooler.port();
    }

    public String name() {
        return name;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    @Override
    public void close() {
        if (user.equals(server.user())) {
            Administrator.DATABASE.execute("drop database if exists " + name + " with (force)");
        } else {
            var owner = new TestDatabase(server, name, server.user(), server.password(), false);
            owner.execute("drop owned by " + user, "drop role " + user);
        }
    }

    private static TestDatabase create(String purpose, String options) {
        return create(purpose, options, false);
    }

    private static TestDatabase create(String purpose, String options, boolean lasts) {
        String name = unique(purpose);
        Administrator.DATABASE.execute("create database " + name + options);
        TestServer server = TestServer.get();
        return new TestDatabase(server, name, server.user(), server.password(), lasts);
    }

    /** For the life of the JVM. A server that outlives it must not collect them. */
    public static TestDatabase lasting(TestDatabase database) {
        if (!database.server.ours()) {
            Runtime.getRuntime().addShutdownHook(new Thread(database::close));
        }
        return database;
    }

    private static String migratedAs(String schema) {
        return " template " + TEMPLATES.computeIfAbsent(schema, TestDatabase::template);
    }

    private static String template(String schema) {
        TestDatabase template = lasting(create("template", ""));
        if (OTHER_SCHEMA.isEmpty() || OTHER_SCHEMA.equals("next") || !schema.equals(SCHEMA)) {
            boolean next = OTHER_SCHEMA.equals("next");
            Migrator.of(template.directDataSource(), schema)
                    .migrate(next ? NextSchema.after(Components.own()) : Components.own());
        } else {
            template.execute(text(Path.of(OTHER_SCHEMA)));
        }
        return template.name;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String unique(String purpose) {
        String tidy = purpose.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        String cut = tidy.substring(0, Math.min(24, tidy.length()));
        return "t_" + cut + "_" + PID + "_" + RUN + "_" + NUMBER.incrementAndGet();
    }

    /** The driver makes the JVM's zone the session's; a test must notice who relies on that. */
    private static final class ElsewhereDataSource extends PGSimpleDataSource {

        private static final long serialVersionUID = 1L;

        @Override
        public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
            Connection connection = super.getConnection(user, password);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set timezone = '" + TestServer.TIME_ZONE + "'");
            }
            return connection;
        }
    }

    private static final class Shared {
        static final TestDatabase DATABASE = lasting(create("shared", migratedAs(SCHEMA), true));
    }

    private static final class Administrator {

        static final TestDatabase DATABASE = of(TestServer.get());

        private static TestDatabase of(TestServer server) {
            return new TestDatabase(server, server.database(), server.user(), server.password(), true);
        }
    }
}
