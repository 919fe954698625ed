package io.holdfast.repository;

import io.holdfast.failure.InvalidValueException;
import java.util.Locale;

/**
 * What can be set from outside, by its name in an environment or in properties. {@link Settings} is what they become; the
 * table in {@code docs/settings.md} is made of this list.
 *
 * <p>Times are a number and its unit, {@code 500ms}, {@code 10s}, {@code 2m} or {@code 1h}, or ISO 8601, {@code PT10S}.
 */
public enum Setting {
    URL(
            "JDBC URL",
            "none: the host brings a data source or a persistence unit",
            "begins with jdbc:postgresql: and carries no credentials",
            "The database, for a pool of Holdfast's own."),
    USER("name", "none; required with a URL", "any", "Who logs in."),
    PASSWORD("text", "empty", "any", "The password. Shown nowhere."),
    SCHEMA("name", "holdfast", "1 to 63 bytes", "The schema of the tables, where Holdfast makes the persistence unit."),
    POOL_SIZE("connections", "5", "1 to 64", "Connections of the pool."),
    CONNECT_TIMEOUT("time", "5s", "0.1 to 30 seconds", "How long a new connection may take."),
    CHECKOUT_TIMEOUT("time", "5s", "0.1 to 60 seconds", "How long to wait for a connection of the pool."),
    COMMAND_TIMEOUT(
            "time",
            "10s",
            "0.1 to 120 seconds",
            "How long a statement may take: the wait for locks to the millisecond, the whole to the next second or two."),
    NAMED_STATEMENTS(
            "true or false",
            "true",
            "true or false",
            "Whether the driver may prepare statements by name. Off for a transaction pooler that does not follow them."),
    CREATE_TABLES("true or false", "false", "true or false", "Whether opening runs the migrations.");

    private static final String PREFIX = "holdfast.";

    private final String unit;
    private final String initially;
    private final String bounds;
    private final String meaning;

    Setting(String unit, String initially, String bounds, String meaning) {
        this.unit = unit;
        this.initially = initially;
        this.bounds = bounds;
        this.meaning = meaning;
    }

    /** Its name in properties: {@code holdfast.pool-size}. */
    public String property() {
        return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Its name in an environment: {@code HOLDFAST_POOL_SIZE}. */
    public String variable() {
        return PREFIX.replace('.', '_').toUpperCase(Locale.ROOT) + name();
    }

    /** What its value is: a unit, or the kind of text. */
    public String unit() {
        return unit;
    }

    /** What it is if nobody says. */
    public String initially() {
        return initially;
    }

    /** From what to what. */
    public String bounds() {
        return bounds;
    }

    /** What it is for, in a sentence. */
    public String meaning() {
        return meaning;
    }

    /** What is thrown for a value beyond its bounds; it does not say the value. */
    InvalidValueException outOfBounds(String field) {
        return new InvalidValueException(field, "be " + bounds);
    }
}
