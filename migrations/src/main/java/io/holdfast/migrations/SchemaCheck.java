package io.holdfast.migrations;

import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.SqlStates;
import io.holdfast.failure.StoreDeniedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells whether a schema is what this release needs, over any connection and in one round trip. It writes nothing,
 * works on a read replica and inside a caller's transaction, and never makes PostgreSQL report an error, which would
 * end that transaction.
 *
 * <p>The role needs no more than it needs to run:
 * <pre>{@code
 * grant usage on schema holdfast to app;
 * grant select, insert, update, delete on all tables in schema holdfast to app;
 * grant execute on all functions in schema holdfast to app; -- only where that was revoked from everybody
 * }</pre>
 * of which the check uses {@code usage} and {@code select} on the history table. {@code grant … on all tables} covers
 * the tables of that moment: repeat it after a migration, or use {@code alter default privileges}.
 */
public final class SchemaCheck {

    private static final String HISTORIES = """
            select substr(c.relname::text, length('schema_history_') + 1)
              from pg_class c join pg_namespace n on c.relnamespace = n.oid
             where n.nspname = ? and c.relkind in ('r', 'p') and starts_with(c.relname::text, 'schema_history_')
             order by 1
            """;

    private SchemaCheck() {}

    /** How the schema stands to the component. A schema that does not exist is {@link SchemaStatus.Missing}. */
    public static SchemaStatus status(Connection connection, SchemaName schema, Component component) {
        RecordedSchema recorded;
        try {
            recorded = RecordedSchema.read(connection, schema, component);
        } catch (SQLException e) {
            throw SqlStates.classify("schema check", e);
        }
        if (recorded.history() && !recorded.readable()) {
            throw new StoreDeniedException(
                    "this role may not read " + component.historyTable() + " in schema " + schema.quoted()
                            + ": grant it usage on the schema and select, insert, update, delete on its tables",
                    Map.of("schema", schema.value(), "component", component.name()));
        }
        return Judgement.of(component, recorded);
    }

    /** As {@link #require(Connection, SchemaName, Component)} for each in turn, a round trip each. */
    public static void require(Connection connection, SchemaName schema, Components components) {
        components.forEach(component -> require(connection, schema, component));
    }

    /**
     * Returns if the schema is {@link SchemaStatus.Current} or {@link SchemaStatus.Ahead}.
     *
     * @throws SchemaMismatchException in every other case; the message says what to do
     * @throws StoreDeniedException    if the role may not read the history table
     */
    public static void require(Connection connection, SchemaName schema, Component component) {
        SchemaStatus status = status(connection, schema, component);
        if (!status.works()) {
            throw mismatch(schema, component, status);
        }
    }

    /** Components whose history is in the schema and that are none of these. */
    static List<String> unknown(Connection connection, SchemaName schema, Components components) {
        List<String> unknown = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(HISTORIES)) {
            statement.setString(1, schema.value());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    if (components.inOrder().stream()
                            .noneMatch(component -> component.name().equals(name))) {
                        unknown.add(name);
                    }
                }
            }
        } catch (SQLException e) {
            throw SqlStates.classify("schema check", e);
        }
        return unknown;
    }

    static SchemaMismatchException mismatch(SchemaName schema, Component component, SchemaStatus status) {
        String where = "component " + component.name() + " in schema " + schema.quoted();
        Map<String, String> details = new TreeMap<>();
        details.put("schema", schema.value());
        details.put("component", component.name());
        details.put("supported_schema_version", Integer.toString(component.version()));
        if (status instanceof SchemaStatus.Pending pending) {
            details.put("database_schema_version", Integer.toString(pending.current()));
            return new SchemaMismatchException(
                    where + " is at version " + pending.current() + ", this release needs " + pending.supported() + ": "
                            + remedy(component),
                    details);
        }
        if (status instanceof SchemaStatus.Newer newer) {
            details.put("database_schema_version", Integer.toString(newer.found()));
            return new SchemaMismatchException(
                    where + " is at version " + newer.found() + ", this release knows only up to " + newer.supported()
                            + ": use a newer release of the library; the database was left as it is",
                    details);
        }
        if (status instanceof SchemaStatus.Damaged damaged) {
            details.put("fault", damaged.fault().name());
            return new SchemaMismatchException(
                    where + " is not as any release left it, " + damaged.fault() + " (" + damaged.detail()
                            + "): restore it, or name another schema; the database was left as it is",
                    details);
        }
        return new SchemaMismatchException(where + " is missing: " + remedy(component), details);
    }

    private static String remedy(Component component) {
        String name = OwnComponents.ALL.contains(component) ? "Components.own()" : "the component " + component.name();
        return "call Migrator.of(dataSource, schema).migrate(" + name
                + ") with a role that may create there, or name the " + "schema that was migrated";
    }
}
