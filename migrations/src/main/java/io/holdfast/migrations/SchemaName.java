package io.holdfast.migrations;

import io.holdfast.failure.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The database schema that the tables live in: 1 to 63 bytes of UTF-8 without control characters, not beginning with
 * {@code pg_} in any case, which PostgreSQL keeps for itself, and without <code>${</code>, which Flyway takes for a
 * placeholder in its own statements. 63 is PostgreSQL's own limit; it cuts longer names silently, so that two of them
 * would be one schema.
 *
 * <p>The name is always written quoted, so {@code Odd Name}, {@code 1a}, {@code a-b} and {@code select} name exactly the
 * schema they say, and an installation with such a name need not rename it.
 *
 * @param value the name as PostgreSQL stores it, not quoted
 */
public record SchemaName(String value) {

    /** {@code holdfast}, where the tables live unless told otherwise. */
    public static final SchemaName DEFAULT = new SchemaName("holdfast");

    /** Longest name, in bytes of UTF-8. */
    public static final int MAX_BYTES = 63;

    /** @throws InvalidValueException if PostgreSQL could not keep this name as it is */
    public SchemaName {
        if (value.isEmpty() || value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new InvalidValueException("schema", "be 1 to " + MAX_BYTES + " bytes of UTF-8");
        }
        if (value.codePoints().anyMatch(SchemaName::unstorable)) {
            throw new InvalidValueException("schema", "have neither control characters nor lone surrogates");
        }
        if (value.toLowerCase(Locale.ROOT).startsWith("pg_")) {
            throw new InvalidValueException("schema", "not begin with pg_, which PostgreSQL keeps for itself");
        }
        if (value.contains("${")) {
            throw new InvalidValueException("schema", "not contain ${, which begins a placeholder in a migration");
        }
    }

    /** The name for use in SQL: in double quotes, a quote inside it doubled. */
    public String quoted() {
        return '"' + value.replace("\"", "\"\"") + '"';
    }

    private static boolean unstorable(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }

    /** The name as it is, not quoted. */
    @Override
    public String toString() {
        return value;
    }
}
