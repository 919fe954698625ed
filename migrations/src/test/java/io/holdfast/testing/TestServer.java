package io.holdfast.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The PostgreSQL server of this JVM, started on first use and stopped at exit. Embedded by default;
 * {@code -Dholdfast.test.database=container} starts one by Testcontainers ({@code -Dholdfast.test.image}), and
 * {@code -Dholdfast.test.url} (with {@code holdfast.test.user} and {@code holdfast.test.password}, of a superuser) uses
 * one that runs already (not {@code ours}: what tests made there is dropped). {@code -Dholdfast.test.durable=true}
 * switches the embedded one's fsync on, for benchmarks, which may give it more memory too ({@code holdfast.test.shared_buffers}).
 */
record TestServer(String host, int port, String database, String user, String password, boolean ours) {

    /** Far from the usual zones and half an hour off: a time that forgets its zone is noticed. */
    static final String TIME_ZONE = "Asia/Kolkata";

    private static final String MAX_CONNECTIONS = "200";

    static TestServer get() {
        return OfThisJvm.SERVER;
    }

    private static TestServer start() {
        String url = System.getProperty("holdfast.test.url", "");
        if (!url.isEmpty()) {
            return running(url);
        }
        return switch (System.getProperty("holdfast.test.database", "embedded")) {
            case "embedded" -> embedded();
            case "container" -> container();
            default -> throw new IllegalArgumentException("holdfast.test.database is embedded or container");
        };
    }

    private static TestServer embedded() {
        String durable = Boolean.getBoolean("holdfast.test.durable") ? "on" : "off";
        try {
            // Stopped by its own shutdown hook; a JVM that is killed leaves the server running.
            @SuppressWarnings("resource")
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("timezone", TIME_ZONE)
                    .setServerConfig("max_connections", MAX_CONNECTIONS)
                    .setServerConfig("max_prepared_transactions", "20")
                    .setServerConfig("shared_buffers", System.getProperty("holdfast.test.shared_buffers", "128MB"))
                    .setServerConfig("fsync", durable)
                    .setServerConfig("synchronous_commit", durable)
                    .setServerConfig("full_page_writes", durable)
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
            return new TestServer("localhost", server.getPort(), "postgres", "postgres", "postgres", true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TestServer container() {
        // Removed by Testcontainers when the JVM ends.
        @SuppressWarnings("resource")
        PostgreSQLContainer container = new PostgreSQLContainer(
                        System.getProperty("holdfast.test.image", "postgres:17-alpine"))
                .withCommand(
                        "postgres",
                        "-c",
                        "timezone=" + TIME_ZONE,
                        "-c",
                        "max_connections=" + MAX_CONNECTIONS,
                        "-c",
                        "fsync=off");
        container.start();
        return new TestServer(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getDatabaseName(),
                container.getUsername(),
                container.getPassword(),
                true);
    }

    private static TestServer running(String url) {
        if (!url.startsWith("jdbc:postgresql://")) {
            throw new IllegalArgumentException("holdfast.test.url is jdbc:postgresql://host:port/database");
        }
        URI uri = URI.create(url.substring("jdbc:".length()));
        return new TestServer(
                uri.getHost(),
                uri.getPort() < 0 ? 5432 : uri.getPort(),
                uri.getPath().substring(1),
                System.getProperty("holdfast.test.user", "postgres"),
                System.getProperty("holdfast.test.password", ""),
                false);
    }

    private static final class OfThisJvm {
        static final TestServer SERVER = start();
    }
}
