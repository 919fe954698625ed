package io.holdfast.repository;

import io.holdfast.failure.InvalidValueException;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and who logs in. Its {@code toString} shows neither.
 *
 * @param url a JDBC URL of PostgreSQL: {@code jdbc:postgresql://host:port/database}
 */
public record Endpoint(String url, String user, String password) {

    private static final String PREFIX = "jdbc:postgresql:";

    public Endpoint {
        require("url", url);
        require("user", user);
        require("password", password);
        if (!url.startsWith(PREFIX)) {
            throw new InvalidValueException("url", "begin with " + PREFIX);
        }
    }

    private static void require(String field, @Nullable String value) {
        if (value == null) {
            throw new InvalidValueException(field, "be given");
        }
    }

    @Override
    public String toString() {
        return "Endpoint[redacted]";
    }
}
