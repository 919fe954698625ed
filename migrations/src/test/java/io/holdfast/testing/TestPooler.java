package io.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * PgBouncer in transaction mode in front of the test server, with few server connections to each database, so that
 * one client's transactions land on several and several clients' on one. {@code -Dholdfast.test.pgbouncer=FILE}, its
 * executable, puts one between every {@link TestDatabase} and whoever uses it as an application would.
 */
public final class TestPooler implements AutoCloseable {

    /** Server connections to each database: fewer than the tests have clients. */
    public static final int SERVERS = 4;

    private static final String EXECUTABLE = "holdfast.test.pgbouncer";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    // auth_query: tests make roles as they go.
    private static final String CONFIGURATION = """
            [databases]
            * = host=%1$s port=%2$d auth_user=%5$s
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %3$d
            unix_socket_dir =
            pool_mode = transaction
            default_pool_size = %4$d
            max_client_conn = 500
            query_wait_timeout = 20
            auth_type = trust
            auth_file = %6$s
            auth_query = select usename, passwd from pg_catalog.pg_shadow where usename = $1
            admin_users = %5$s
            log_connections = 0
            log_disconnections = 0
            """;

    private final Process process;
    private final Path directory;
    private final int port;

    private TestPooler(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** The one that stands before every test database; null if tests talk to the server directly. */
    public static @Nullable TestPooler get() {
        return OfThisJvm.POOLER;
    }

    /** Another one, with this many server connections to each database. */
    public static TestPooler with(int servers) {
        String executable = System.getProperty(EXECUTABLE, "");
        TestServer server = TestServer.get();
        try {
            int port = freePort();
            Path directory = Files.createTempDirectory(
                    "holdfast-pgbouncer",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            Path users = directory.resolve("users.txt");
            Files.writeString(users, "\"" + server.user() + "\" \"" + server.password() + "\"\n");
            String asUser = isRoot() ? "user = nobody\n" : "";
            Path configuration = directory.resolve("pgbouncer.ini");
            Files.writeString(
                    configuration,
                    CONFIGURATION.formatted(server.host(), server.port(), port, servers, server.user(), users)
                            + asUser);
            Process process = new ProcessBuilder(executable, "-q", configuration.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
            TestPooler pooler = new TestPooler(process, directory, port);
            pooler.awaitListening();
            return pooler;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** Unpooled connections through it to a database. */
    public DataSource dataSource(TestDatabase database) {
        return database.dataSource(host(), port);
    }

    /** How many transactions went through to this database so far, a statement in autocommit being one. */
    public long transactions(String database) {
        return stats().stream()
                .filter(row -> database.equals(row.get("database")))
                .mapToLong(TestPooler::transactions)
                .sum();
    }

    private List<Map<String, String>> stats() {
        try (var console = new PoolerConsole(host(), port, TestServer.get().user())) {
            return console.show("show stats");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long transactions(Map<String, String> row) {
        return Long.parseLong(row.getOrDefault("total_xact_count", "0"));
    }

    /** Asks the operating system, not the user's name. */
    private static boolean isRoot() throws IOException {
        Path self = Path.of("/proc/self");
        return Files.exists(self) && Integer.valueOf(0).equals(Files.getAttribute(self, "unix:uid"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitListening() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Socket socket = new Socket(host(), port)) {
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    process.destroyForcibly();
                    throw new IOException(
                            "PgBouncer does not listen: " + Files.readString(directory.resolve("log")), e);
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a lane shows for proof, at the end of the JVM, when surefire no longer takes standard output for its own. */
    private void report() {
        try (this) {
            long all = stats().stream().mapToLong(TestPooler::transactions).sum();
            Files.writeString(
                    Path.of("target", "pgbouncer.txt"),
                    "PgBouncer: " + all + " transactions over " + SERVERS + " server connections to each database\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            process.destroyForcibly();
            for (String file : new String[] {"users.txt", "pgbouncer.ini", "log"}) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class OfThisJvm {
        static final @Nullable TestPooler POOLER = start();

        private static @Nullable TestPooler start() {
            if (System.getProperty(EXECUTABLE, "").isEmpty()) {
                return null;
            }
            TestPooler pooler = with(SERVERS);
            Runtime.getRuntime().addShutdownHook(new Thread(pooler::report));
            return pooler;
        }
    }
}
