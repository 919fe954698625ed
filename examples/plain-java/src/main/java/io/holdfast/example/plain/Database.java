package io.holdfast.example.plain;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.failure.InvalidValueException;
import java.util.Map;
import java.util.Optional;

/**
 * Where the database is and who logs in.
 *
 * @param user empty if the URL says it, or the driver's default will do
 * @param password likewise
 */
record Database(String url, Optional<String> user, Optional<String> password) {

    static final String URL = "HOLDFAST_URL";
    private static final String USER = "HOLDFAST_USER";
    private static final String PASSWORD = "HOLDFAST_PASSWORD";

    private static final String FORM = "be jdbc:postgresql://host:port/database";

    Database {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new InvalidValueException(URL, FORM);
        }
    }

    static Database fromEnvironment(Map<String, String> environment) {
        return new Database(
                environment.getOrDefault(URL, ""),
                Optional.ofNullable(environment.get(USER)),
                Optional.ofNullable(environment.get(PASSWORD)));
    }

    /** Not on a command line, which every user of the machine can read. */
    void toEnvironment(Map<String, String> environment) {
        environment.put(URL, url);
        user.ifPresent(value -> environment.put(USER, value));
        password.ifPresent(value -> environment.put(PASSWORD, value));
    }

    /** A pool, which the caller closes. */
    HikariDataSource connect() {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        user.ifPresent(pool::setUsername);
        password.ifPresent(pool::setPassword);
        pool.setMaximumPoolSize(4);
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED"); // or the first connection is asked, and may be lost
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(5_000);
        pool.setInitializationFailTimeout(-1); // the first statement says what is wrong
        try {
            return new HikariDataSource(pool);
        } catch (RuntimeException e) { // quotes the URL, and what is in it
            throw new InvalidValueException(URL, FORM);
        }
    }

    @Override
    public String toString() {
        return "Database[redacted]";
    }
}
