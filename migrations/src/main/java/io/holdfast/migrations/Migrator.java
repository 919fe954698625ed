package io.holdfast.migrations;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.SqlStates;
import io.holdfast.failure.StoreTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.logging.LogFactory;

/**
 * Brings the tables of a component to the version that this release needs. Thread-safe; any number of threads and
 * processes may migrate at once, one does the work and the others find it done.
 *
 * <p>Give it a direct connection to the server, not one through a pooler in transaction mode, which is refused, and not
 * a pool of a JTA server that enlists connections. It uses up to three connections at the same time, and the role must
 * be allowed to create the schema, or to create tables in it.
 */
public final class Migrator {

    /** How long {@link #migrate} waits for another process that migrates the same schema: 60 seconds. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(60);

    private static final System.Logger LOG = System.getLogger(Migrator.class.getName());

    private final DataSource dataSource;
    private final SchemaName schema;
    private final Duration wait;

    private Migrator(DataSource dataSource, SchemaName schema, Duration wait) {
        this.dataSource = Objects.requireNonNull(dataSource);
        this.schema = schema;
        this.wait = wait;
    }

    /** @throws InvalidValueException if the name breaks the limits of {@link SchemaName} */
    public static Migrator of(DataSource dataSource, String schema) {
        return of(dataSource, new SchemaName(schema));
    }

    public static Migrator of(DataSource dataSource, SchemaName schema) {
        return new Migrator(dataSource, schema, DEFAULT_WAIT);
    }

    /** The same with another bound on the wait for somebody else's migration, from 1 ms to 1 hour. */
    public Migrator waitingAtMost(Duration wait) {
        if (wait.toMillis() < 1 || wait.compareTo(Duration.ofHours(1)) > 0) {
            throw new InvalidValueException("wait", "be from 1 ms to 1 hour");
        }
        return new Migrator(dataSource, schema, wait);
    }

    /** How the schema stands to the component, without changing anything. */
    public SchemaStatus status(Component component) {
        try (Connection connection = dataSource.getConnection()) {
            return SchemaCheck.status(connection, schema, component);
        } catch (SQLException e) {
            throw SqlStates.classify("migration status", e);
        }
    }

    /**
     * Makes the schema if it is missing, applies what is pending and returns it; empty if there was nothing to do,
     * which is also what a caller gets who lost the race or repeats the call. Each migration is one transaction.
     *
     * @throws InvalidValueException   if the connections turn out to lead through a pooler in transaction mode; also when
     *     there is nothing to do. Nothing was written
     * @throws SchemaMismatchException if the schema is newer than this release or damaged; nothing was written
     * @throws StoreTimeoutException   if somebody else has been migrating for longer than the wait; nothing was written
     */
    public List<Migration> migrate(Component component) {
        requireOwnSessions();
        try (Connection guard = dataSource.getConnection();
                MigrationLock lock = MigrationLock.take(guard, schema, wait)) {
            return migrateLocked(guard, component);
        } catch (SQLException | FlywayException e) {
            throw SqlStates.classify("migrate", e);
        }
    }

    /** Flyway needs sessions, and waits without end where a pooler has but one. */
    private void requireOwnSessions() {
        try {
            OwnSessions.require(dataSource, wait);
        } catch (SQLException e) {
            throw SqlStates.classify("migrate", e);
        }
    }

    private List<Migration> migrateLocked(Connection guard, Component component) {
        SchemaStatus before = SchemaCheck.status(guard, schema, component);
        if (before instanceof SchemaStatus.Current) {
            return List.of();
        }
        if (before instanceof SchemaStatus.Newer || before instanceof SchemaStatus.Damaged) {
            throw SchemaCheck.mismatch(schema, component, before);
        }
        int from = before instanceof SchemaStatus.Pending pending ? pending.current() : 0;
        run(component);
        SchemaCheck.require(guard, schema, component);
        LOG.log(
                System.Logger.Level.INFO,
                "component {0} in schema {1}: migrated from version {2} to {3}",
                component.name(),
                schema.quoted(),
                from,
                component.version());
        return component.migrations().subList(from, component.version());
    }

    private void run(Component component) {
        try {
            Flyway.configure(Migrator.class.getClassLoader())
                    .loggers(new String[0]) // at INFO it would log the connection string
                    .dataSource(dataSource)
                    .schemas(schema.value())
                    .defaultSchema(schema.value())
                    .createSchemas(true)
                    .table(component.historyTable())
                    .baselineOnMigrate(true) // another component's tables may be there
                    .baselineVersion("0")
                    .placeholders(Map.of("schema", schema.quoted()))
                    .resourceProvider(new ComponentFiles(component))
                    .javaMigrationClassProvider(List::of)
                    .cleanDisabled(true)
                    .load()
                    .migrate();
        } finally {
            // Flyway keeps the loggers of the latest configuration for the whole JVM; the host's own must not stay
            // silent.
            LogFactory.setConfiguration(Flyway.configure());
        }
    }
}
