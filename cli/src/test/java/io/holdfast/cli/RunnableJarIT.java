package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The jar as people start it: a process of its own. */
@Timeout(60)
class RunnableJarIT {

    /** What a shell starts in the background ignores SIGINT, a build too, and so would all that it starts in turn. */
    private static final List<String> HEEDING_SIGINT = List.of("env", "--default-signal=INT");

    private static final boolean CAN_HEED = succeeds(HEEDING_SIGINT, "true");

    private static ProcessBuilder holdfast(TestDatabase database, String... arguments) {
        List<String> command = new ArrayList<>(CAN_HEED ? HEEDING_SIGINT : List.of());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                System.getProperty("holdfast.jar")));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("HOLDFAST_URL", database.url());
        builder.environment().put("HOLDFAST_USER", database.user());
        builder.environment().put("HOLDFAST_PASSWORD", database.password());
        return builder;
    }

    private static Shell.Result run(TestDatabase database, String... arguments) throws Exception {
        Process process = holdfast(database, arguments).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Shell.Result(process.waitFor(), out, err);
    }

    @Test
    void oneJarMigratesReportsAndPrintsNothingElse() throws Exception {
        try (TestDatabase database = TestDatabase.empty("cli_jar")) {
            assertThat(run(database, "db", "status").status()).isEqualTo(1);
            Shell.Result migrated = run(database, "db", "migrate");
            assertThat(migrated.status()).as(migrated.err()).isZero();
            assertThat(migrated.err()).isEmpty();
            assertThat(migrated.out()).contains("V1__workflows_keys_leases.sql").doesNotContain("\u001b");
            assertThat(run(database, "db", "status").status()).isZero();
        }
    }

    @Test
    void ctrlCEndsWith130AndLeavesNothingWaitingInTheServer() throws Exception {
        assumeThatSigintIsHeeded();
        try (TestDatabase database = TestDatabase.empty("cli_jar");
                Connection rival = database.connect()) {
            hold(rival);
            Process process = holdfast(database, "db", "migrate").start();
            String waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted and database ="
                    + " (select oid from pg_database where datname = current_database())";
            await().atMost(Duration.ofSeconds(30)).until(() -> "1".equals(database.value(waiting)));
            interrupt(process);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            await().atMost(Duration.ofSeconds(10)).until(() -> "0".equals(database.value(waiting)));
            assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("broken off; what was under way is rolled back")
                    .doesNotContain("Exception", "\tat ");
            rival.rollback();
            assertThat(run(database, "db", "migrate").status()).isZero();
        }
    }

    @Test
    void aCleanUpThatIsBrokenOffSaysWhatItRemovedAndTheNextGoesOn() throws Exception {
        assumeThatSigintIsHeeded();
        try (TestDatabase database = TestDatabase.migrated("cli_jar")) {
            database.execute(
                    "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status,"
                            + " created_at, expires_at) select 'acme', 'k-' || g, 1, 'r', 'w', 'reserved', t, t"
                            + " from generate_series(1, 5000) g, cast(clock_timestamp() - interval '9 days' as timestamptz) t");
            String left = "select count(*) from holdfast.idempotency_key";
            Process process = holdfast(database, "cleanup", "--batch", "1", "--rest", "20")
                    .start();
            await().atMost(Duration.ofSeconds(30)).until(() -> Integer.parseInt(database.value(left)) < 5000);
            interrupt(process);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).doesNotContain("Exception", "\tat ").contains("running it again goes on");
            int keys = Integer.parseInt(said.replaceAll("(?s).*, keys (\\d+),.*", "$1"));
            assertThat(5000 - Integer.parseInt(database.value(left)))
                    .as("the batch under way was rolled back, or its commit was not heard of")
                    .isBetween(keys, keys + 1);
            assertThat(run(database, "cleanup", "--rest", "0", "--batch", "10000")
                            .status())
                    .isZero();
            assertThat(database.value(left)).isEqualTo("0");
        }
    }

    /** As somebody else who migrates does. */
    private static void hold(Connection rival) throws SQLException {
        rival.setAutoCommit(false);
        try (Statement statement = rival.createStatement()) {
            statement.execute("select pg_advisory_xact_lock(hashtextextended('holdfast.migrate.holdfast', 0))");
        }
    }

    private static void interrupt(Process process) {
        assertThat(succeeds(List.of("kill", "-INT"), Long.toString(process.pid())))
                .isTrue();
    }

    private static void assumeThatSigintIsHeeded() {
        assumeTrue(
                CAN_HEED || !succeeds(List.of("sh", "-c"), "trap 'exit 1' INT; kill -INT $$"),
                "SIGINT is ignored here, as by all that a shell starts in the background, and there is no"
                        + " `env --default-signal` (GNU coreutils 8.31) to change that");
    }

    private static boolean succeeds(List<String> command, String argument) {
        List<String> all = new ArrayList<>(command);
        all.add(argument);
        try {
            return new ProcessBuilder(all).start().waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no such command
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
