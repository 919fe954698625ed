package io.holdfast.repository;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.migrations.SchemaName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How Holdfast talks to the database. Immutable; every bound is checked when it is made.
 *
 * @param endpoint the database, for a pool of Holdfast's own; empty where the host brings a data source or persistence unit
 * @param schema the schema of the tables, where Holdfast makes the persistence unit; a host's unit says it by its mapping
 * @param poolSize connections of the pool, 1 to 64; 5 by default
 * @param connectTimeout for a new connection, 0.1 to 30 seconds; 5 by default
 * @param checkoutTimeout to wait for a connection of the pool, 0.1 to 60 seconds; 5 by default
 * @param commandTimeout for a statement and its wait for locks, 0.1 to 120 seconds; 10 by default. The wait for locks is
 *     bounded to the millisecond, the statement as a whole to the next full second. In a caller's transaction the caller's own
 *     {@code lock_timeout} bounds the wait
 * @param namedStatements whether the driver may prepare statements by name; off for a transaction pooler that does not follow
 *     them. On by default: the larger statements take longer to plan than to run
 * @param createTables whether opening runs the migrations of Holdfast's own components; off by default
 */
public record Settings(
        Optional<Endpoint> endpoint,
        SchemaName schema,
        int poolSize,
        Duration connectTimeout,
        Duration checkoutTimeout,
        Duration commandTimeout,
        boolean namedStatements,
        boolean createTables) {

    private static final Duration SHORTEST = Duration.ofMillis(100);

    public static final Settings DEFAULT = new Settings(
            Optional.empty(),
            SchemaName.DEFAULT,
            5,
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            true,
            false);

    public Settings {
        Given.value("endpoint", endpoint);
        Given.value("schema", schema);
        if (poolSize < 1 || poolSize > 64) {
            throw Setting.POOL_SIZE.outOfBounds("poolSize");
        }
        bounded(Setting.CONNECT_TIMEOUT, "connectTimeout", connectTimeout, 30);
        bounded(Setting.CHECKOUT_TIMEOUT, "checkoutTimeout", checkoutTimeout, 60);
        bounded(Setting.COMMAND_TIMEOUT, "commandTimeout", commandTimeout, 120);
    }

    /**
     * From an environment, as {@code System.getenv()}: {@code HOLDFAST_URL}, {@code HOLDFAST_POOL_SIZE} and so on, see
     * {@link Setting}. Other variables are passed over.
     *
     * @throws InvalidValueException naming the variable, if one that begins with {@code HOLDFAST_} is not a setting, or is
     *     out of bounds
     */
    public static Settings ofEnvironment(Map<String, String> variables) {
        return GivenSettings.of("variables", variables, "HOLDFAST_", Setting::variable)
                .settings();
    }

    /**
     * From properties, as MicroProfile Config and Spring have them: {@code holdfast.url}, {@code holdfast.pool-size} and so
     * on, see {@link Setting}. Other properties are passed over.
     *
     * @throws InvalidValueException naming the property, if one that begins with {@code holdfast.} is not a setting, or is
     *     out of bounds
     */
    public static Settings ofProperties(Map<String, String> properties) {
        return GivenSettings.of("properties", properties, "holdfast.", Setting::property)
                .settings();
    }

    /** The defaults, with a pool of Holdfast's own. */
    public static Settings of(String url, String user, String password) {
        return DEFAULT.withEndpoint(new Endpoint(url, user, password));
    }

    public Settings withEndpoint(Endpoint value) {
        return new Settings(
                Optional.of(Given.value("endpoint", value)),
                schema,
                poolSize,
                connectTimeout,
                checkoutTimeout,
                commandTimeout,
                namedStatements,
                createTables);
    }

    public Settings withSchema(String value) {
        return new Settings(
                endpoint,
                new SchemaName(Given.value("schema", value)),
                poolSize,
                connectTimeout,
                checkoutTimeout,
                commandTimeout,
                namedStatements,
                createTables);
    }

    public Settings withPoolSize(int value) {
        return new Settings(
                endpoint,
                schema,
                value,
                connectTimeout,
                checkoutTimeout,
                commandTimeout,
                namedStatements,
                createTables);
    }

    public Settings withConnectTimeout(Duration value) {
        return new Settings(
                endpoint, schema, poolSize, value, checkoutTimeout, commandTimeout, namedStatements, createTables);
    }

    public Settings withCheckoutTimeout(Duration value) {
        return new Settings(
                endpoint, schema, poolSize, connectTimeout, value, commandTimeout, namedStatements, createTables);
    }

    public Settings withCommandTimeout(Duration value) {
        return new Settings(
                endpoint, schema, poolSize, connectTimeout, checkoutTimeout, value, namedStatements, createTables);
    }

    public Settings withNamedStatements(boolean value) {
        return new Settings(
                endpoint, schema, poolSize, connectTimeout, checkoutTimeout, commandTimeout, value, createTables);
    }

    public Settings withCreateTables(boolean value) {
        return new Settings(
                endpoint, schema, poolSize, connectTimeout, checkoutTimeout, commandTimeout, namedStatements, value);
    }

    private static void bounded(Setting setting, String field, Duration value, int maxSeconds) {
        if (Given.value(field, value).compareTo(SHORTEST) < 0 || value.compareTo(Duration.ofSeconds(maxSeconds)) > 0) {
            throw setting.outOfBounds(field);
        }
    }
}
