package io.holdfast.chaos;

import com.sun.security.auth.module.UnixSystem;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.ds.PGSimpleDataSource;

/** A durable PostgreSQL that is stopped without a word and started again, on the same port, with the same data. */
final class ChaosServer implements AutoCloseable {

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private final EmbeddedPostgres embedded;
    private final Path data;

    private ChaosServer(EmbeddedPostgres embedded, Path data) {
        this.embedded = embedded;
        this.data = data;
    }

    static ChaosServer start(Path directory) throws IOException {
        Path data = directory.resolve("data");
        EmbeddedPostgres embedded = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(true)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("restart_after_crash", "on")
                .setServerConfig("max_connections", "60")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        return new ChaosServer(embedded, data);
    }

    int port() {
        return embedded.getPort();
    }

    private long postmaster() throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
    }

    /** As at a power cut, but for what the disk was told. */
    void stopAtOnce() throws IOException, InterruptedException {
        long pid = postmaster();
        Signals.send("QUIT", pid);
        // The last that it does; whoever started it may be long in taking notice of its end.
        for (int i = 0; Files.exists(data.resolve("postmaster.pid")); i++) {
            if (i == 500) {
                throw new IllegalStateException("the server does not stop");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** With the very command line that it was started with. */
    void startAgain() throws IOException {
        List<String> command = new ArrayList<>();
        if (new UnixSystem().getUid() == 0) {
            command.addAll(List.of("unshare", "-U")); // a server refuses to be root
        }
        Matcher words = QUOTED.matcher(Files.readString(data.resolve("postmaster.opts")));
        while (words.find()) {
            command.add(words.group(1) != null ? words.group(1) : words.group(2));
        }
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        data.resolveSibling("server.log").toFile()))
                .start();
    }

    void awaitReady(Duration patience) throws InterruptedException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(
                "jdbc:postgresql://localhost:" + port() + "/postgres?user=postgres&connectTimeout=2&socketTimeout=5");
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try (Connection connection = source.getConnection()) {
                return;
            } catch (SQLException e) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("the server does not come back: " + e.getMessage(), e);
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** Kills a server process, if it is still there; the others are then ended by the server itself, which recovers. */
    boolean killBackend(long pid) {
        return Signals.send("KILL", pid);
    }

    @Override
    public void close() {
        try {
            embedded.close();
        } catch (IOException e) {
            System.err.println("the server did not stop: " + e.getMessage());
        }
    }
}
