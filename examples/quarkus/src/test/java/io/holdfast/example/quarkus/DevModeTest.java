package io.holdfast.example.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import io.quarkus.test.QuarkusDevModeTest;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a live reload leaves behind, and what it does not. */
@Tag("dev-mode")
class DevModeTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final String PORT = "quarkus.http.port";
    private static final String URL = "quarkus.datasource.jdbc.url";

    // Before the application starts, which reads them. Quarkus loads this class twice.
    static {
        if (System.getProperty(URL) == null) {
            System.setProperty(URL, TestDatabase.empty("quarkus_dev").url());
            System.setProperty(PORT, Integer.toString(freePort()));
        }
    }

    @RegisterExtension
    static final QuarkusDevModeTest DEV = new QuarkusDevModeTest()
            .withApplicationRoot(DevModeTest::application)
            .setLogRecordPredicate(DevModeTest::isWarningOfHoldfast);

    private final HttpClient client = HttpClient.newHttpClient();

    private static void application(JavaArchive archive) {
        archive.addPackages(false, path -> !path.get().contains("Test"), "io.holdfast.example.quarkus")
                .addAsResource("application.properties");
    }

    @Test
    void aReloadClosesKeeperAndPoolsOpensThemAgainAndLosesNothing() throws Exception {
        assertThat(post("/api/orders", "{\"id\":\"o1\",\"item\":\"labels\",\"quantity\":2}"))
                .contains("step-1");
        assertThat(post("/api/leases/o1?ttl=60", "")).contains("\"held\":true", "\"token\":1");
        Set<String> before = sessions();
        assertThat(before).isNotEmpty();
        assertThat(keeperThreads()).isEqualTo(2);

        DEV.modifySourceFile(Steps.class, source -> source.replace("\"step-\"", "\"phase-\""));

        assertThat(post("/api/orders/o1/advance", "")).contains("\"revision\":2", "\"stage\":\"phase-2\"");
        assertThat(get("/api/leases/o1").body()).as("released").contains("\"held\":false", "\"holder\":\"\"");
        assertThat(post("/api/leases/o1?ttl=60", "")).contains("\"held\":true", "\"token\":2");
        assertThat(holds(() -> keeperThreads() == 2))
                .as("keeper threads: %s", keeperThreads())
                .isTrue();
        assertThat(holds(() -> sessions().stream().noneMatch(before::contains)))
                .as("sessions before %s, now %s", before, sessions())
                .isTrue();

        DEV.modifySourceFile(Orders.class, source -> source.replace("breakIf(breaks);", "breakIf(;"));
        assertThat(get("/api/orders/o1").statusCode())
                .as("a source that does not compile")
                .isEqualTo(500);
        DEV.modifySourceFile(Orders.class, source -> source.replace("breakIf(;", "breakIf(breaks);"));
        assertThat(post("/api/orders/o1/advance", "")).contains("\"revision\":3", "\"stage\":\"phase-3\"");
        assertThat(post("/api/leases/o1?ttl=60", "")).contains("\"held\":true", "\"token\":3");
        assertThat(holds(() -> keeperThreads() == 2))
                .as("keeper threads: %s", keeperThreads())
                .isTrue();
        // Quarkus interrupts threads that go on, and the keeper then closes by itself, but says so.
        assertThat(DEV.getLogRecords()).extracting(LogRecord::getMessage).isEmpty();
    }

    private static boolean isWarningOfHoldfast(LogRecord said) {
        return said.getLevel().intValue() >= Level.WARNING.intValue()
                && said.getLoggerName().startsWith("io.holdfast.");
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int keeperThreads() {
        return (int) Thread.getAllStackTraces().values().stream()
                .filter(frames -> Stream.of(frames)
                        .anyMatch(frame -> frame.getClassName().equals("io.holdfast.repository.KeeperLoop")))
                .count();
    }

    /** The application's, by process and start. */
    private static Set<String> sessions() {
        String others = "select pid || ' since ' || backend_start from pg_stat_activity"
                + " where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";
        Set<String> found = new TreeSet<>();
        try (Connection connection = DriverManager.getConnection(System.getProperty(URL), "postgres", "any");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(others)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return found;
    }

    private static boolean holds(BooleanSupplier condition) throws InterruptedException {
        long limit = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - limit > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return true;
    }

    private String post(String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isLessThan(300);
        return answer.body();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + System.getProperty(PORT) + path));
    }
}
