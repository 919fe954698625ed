package io.holdfast.example.blackbox;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;

/**
 * A PostgreSQL with nothing in it, for two instances of an application: prints its JDBC URL in a line, and stops when its input
 * ends or it is told to. The user is {@code postgres}, with any password. What it has committed survives a crash: the embedded
 * server comes with that switched off.
 */
public final class Database {

    private Database() {}

    public static void main(String[] arguments) throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            System.out.println("jdbc:postgresql://localhost:" + server.getPort() + "/postgres");
            while (System.in.read() >= 0) {
                // whoever started this still has the other end open
            }
        }
    }
}
