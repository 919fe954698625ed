package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** G-08, H30: all that start at once on an empty database succeed, and one of them did the work. */
@Timeout(120)
class ConcurrentMigrationTest {

    private static final int MIGRATORS = 8;

    @RepeatedTest(5)
    void eightThreadsAtOnceAllSucceedAndOneMigrated() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(MIGRATORS);
        try (var database = TestDatabase.empty("eight threads")) {
            var together = new CyclicBarrier(MIGRATORS);
            List<Future<Integer>> applied = new ArrayList<>();
            for (int i = 0; i < MIGRATORS; i++) {
                applied.add(threads.submit(() -> {
                    Migrator migrator = Migrator.of(database.dataSource(), "holdfast");
                    together.await();
                    return migrator.migrate(Component.core()).size();
                }));
            }
            List<Integer> results = new ArrayList<>();
            for (Future<Integer> one : applied) {
                results.add(one.get(60, TimeUnit.SECONDS));
            }
            assertThat(results).containsExactlyInAnyOrder(1, 0, 0, 0, 0, 0, 0, 0);
            assertCurrent(database);
        } finally {
            threads.shutdownNow();
        }
    }

    /** As many as start when a deployment is scaled up; of one connection each until it is their turn. */
    @Test
    void twoHundredStartersAllSucceedAndOneMigrated() throws Exception {
        int starters = 200;
        ExecutorService threads = Executors.newFixedThreadPool(starters);
        try (var database = TestDatabase.empty("two hundred")) {
            List<Future<Integer>> applied = new ArrayList<>();
            var together = new CyclicBarrier(starters);
            // The server has room for fewer sessions than there are starters, so they are let in as it has.
            var room = new Semaphore(150);
            for (int i = 0; i < starters; i++) {
                applied.add(threads.submit(() -> {
                    together.await();
                    room.acquire();
                    try {
                        return Migrator.of(database.dataSource(), "holdfast")
                                .migrate(Component.core())
                                .size();
                    } finally {
                        room.release();
                    }
                }));
            }
            int done = 0;
            for (Future<Integer> one : applied) {
                done += one.get(100, TimeUnit.SECONDS);
            }
            assertThat(done).isEqualTo(1);
            assertCurrent(database);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void eightProcessesAtOnceAllSucceedAndOneMigrated() throws Exception {
        List<Process> processes = new ArrayList<>();
        try (var database = TestDatabase.empty("eight processes")) {
            for (int i = 0; i < MIGRATORS; i++) {
                processes.add(start(database));
            }
            for (Process process : processes) {
                assertThat(line(process)).isEqualTo("ready");
            }
            for (Process process : processes) {
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
            }
            List<String> results = new ArrayList<>();
            for (Process process : processes) {
                results.add(line(process));
            }
            assertThat(results)
                    .containsExactlyInAnyOrder(
                            "applied 1",
                            "applied 0",
                            "applied 0",
                            "applied 0",
                            "applied 0",
                            "applied 0",
                            "applied 0",
                            "applied 0");
            assertCurrent(database);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(TestDatabase database) throws IOException {
        var builder = new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData", // of eight that start at once one may find its file locked, and says so where
                // answers are read
                MigratingProcess.class.getName());
        builder.environment()
                .putAll(Map.of(
                        "CLASSPATH", classPathWithoutJackson(),
                        "MIGRATE_URL", database.url(),
                        "MIGRATE_USER", database.user(),
                        "MIGRATE_PASSWORD", database.password()));
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** Migrating must not need what Flyway uses to read configuration files. */
    private static String classPathWithoutJackson() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> entries = List.of(all.split(File.pathSeparator));
        assertThat(entries).anyMatch(entry -> entry.contains("jackson"));
        return entries.stream()
                .filter(entry -> !entry.contains("jackson"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String line(Process process) throws IOException {
        BufferedReader output = process.inputReader();
        return output.readLine();
    }

    private static void assertCurrent(TestDatabase database) {
        assertThat(Migrator.of(database.dataSource(), "holdfast").status(Component.core()))
                .isEqualTo(new SchemaStatus.Current(1));
        assertThat(database.value("select count(*) from holdfast.schema_history_core where type = 'SQL'"))
                .isEqualTo("1");
    }
}
