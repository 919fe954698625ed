package io.holdfast.example.plain;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The server of a run: one that exists, or one that is started here, with nothing in it, and stopped at the end. */
final class Server implements AutoCloseable {

    private final Database database;
    private final AutoCloseable closing;

    private Server(Database database, AutoCloseable closing) {
        this.database = database;
        this.closing = closing;
    }

    static Server existing(Database database) {
        return new Server(database, () -> {});
    }

    /**
     * Starts PostgreSQL with its data in that directory. What it has committed is on the disk: the embedded server comes with
     * that switched off.
     */
    static Server embedded(Path data) throws IOException {
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setPGStartupWait(Duration.ofSeconds(30));
        Path binaries = Path.of(System.getProperty("java.io.tmpdir"), "embedded-pg");
        if (Files.exists(binaries) && !Files.isWritable(binaries)) { // another user's, perhaps of another version
            builder.setOverrideWorkingDirectory(data.resolveSibling("binaries").toFile());
        }
        EmbeddedPostgres server;
        try {
            server = builder.start();
        } catch (IllegalStateException e) {
            throw new IOException(
                    "The embedded PostgreSQL does not start. As root it needs unshare -U, which some containers"
                            + " refuse: be another user, or name a database in " + Database.URL + ". "
                            + e.getMessage());
        }
        String url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
        return new Server(new Database(url, Optional.of("postgres"), Optional.empty()), server);
    }

    Database database() {
        return database;
    }

    @Override
    public void close() {
        try {
            closing.close();
        } catch (Exception e) {
            System.err.println("The embedded server did not stop: " + e.getMessage());
        }
    }
}
