package io.holdfast.migrations;

import static java.util.Objects.requireNonNull;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.SqlStates;
import io.holdfast.failure.StoreTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
        this.dataSource = requireNonNull(dataSource);
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

    /** How the schema stands to each of the components, in their order, and to those it has that are none of them. */
    public Map<String, SchemaStatus> status(Components components) {
        try (Connection connection = dataSource.getConnection()) {
            Map<String, SchemaStatus> all = statuses(connection, components);
            SchemaCheck.unknown(connection, schema, components)
                    .forEach(name -> all.put(name, new SchemaStatus.Unknown()));
            return all;
        } catch (SQLException e) {
            throw SqlStates.classify("migration status", e);
        }
    }

    private Map<String, SchemaStatus> statuses(Connection connection, Components components) {
        Map<String, SchemaStatus> all = new LinkedHashMap<>();
        components.forEach(component -> all.put(component.name(), SchemaCheck.status(connection, schema, component)));
        return all;
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
        return migrate(Components.of(component.after(new String[0])))
                .values()
                .iterator()
                .next();
    }

    /**
     * As {@link #migrate(Component)} for each in turn, under one lock. All are looked at before the first is touched: if one is
     * newer or damaged, none is changed. If one fails, those before it stay migrated.
     *
     * @return what was applied, by the component's name
     * @throws SchemaMismatchException naming every component that is newer or damaged; nothing was written
     */
    public Map<String, List<Migration>> migrate(Components components) {
        requireOwnSessions();
        try (Connection guard = dataSource.getConnection();
                MigrationLock lock = MigrationLock.take(guard, schema, wait)) {
            Map<String, SchemaStatus> before = statuses(guard, components);
            requireMigratable(components, before);
            Map<String, List<Migration>> applied = new LinkedHashMap<>();
            for (Component component : components) {
                applied.put(
                        component.name(),
                        migrateLocked(guard, component, requireNonNull(before.get(component.name()))));
            }
            return applied;
        } catch (SQLException | FlywayException e) {
            throw SqlStates.classify("migrate", e);
        }
    }

    private void requireMigratable(Components components, Map<String, SchemaStatus> statuses) {
        List<SchemaMismatchException> refused = new ArrayList<>();
        for (Component component : components) {
            SchemaStatus status = statuses.get(component.name());
            if (status instanceof SchemaStatus.Newer || status instanceof SchemaStatus.Damaged) {
                refused.add(SchemaCheck.mismatch(schema, component, status));
            }
        }
        if (refused.size() == 1) {
            throw refused.get(0);
        }
        if (!refused.isEmpty()) {
            throw new SchemaMismatchException(
                    refused.stream().map(Throwable::getMessage).collect(Collectors.joining("; ")),
                    Map.of("schema", schema.value()));
        }
    }

    /**
     * What {@link #migrate} asks first: whether each connection has a session of the server to itself. Changes nothing.
     *
     * @throws InvalidValueException if the connections turn out to lead through a pooler in transaction mode
     */
    // Flyway needs sessions, and waits without end where a pooler has but one.
    public void requireOwnSessions() {
        try {
            OwnSessions.require(dataSource, wait);
        } catch (SQLException e) {
            throw SqlStates.classify("migrate", e);
        }
    }

    private List<Migration> migrateLocked(Connection guard, Component component, SchemaStatus before) {
        if (before.works()) {
            return List.of();
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
