package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whoever brings a data source or a persistence unit need not bring HikariCP or the driver's classes. */
class WithoutDriverTest {

    /** Runs in a JVM of its own, whose class path lacks both. */
    static final class Probe {
        public static void main(String[] args) throws Exception {
            Settings settings = Settings.of("jdbc:postgresql://localhost/none", "nobody", "nothing");
            Class.forName(Holdfast.class.getName());
            Class.forName(LeaseKeeper.class.getName());
            System.out.println("settings made: " + settings.poolSize());
            try {
                Holdfast.open(settings);
            } catch (io.holdfast.HoldfastException e) {
                System.out.println(e.code() + " " + e.retryable() + " " + e.getMessage());
            }
            javax.sql.DataSource silent = (javax.sql.DataSource) java.lang.reflect.Proxy.newProxyInstance(
                    Probe.class.getClassLoader(), new Class<?>[] {javax.sql.DataSource.class}, (p, m, a) -> {
                        throw new java.sql.SQLException("down", "08006");
                    });
            try {
                Holdfast.open(silent);
            } catch (io.holdfast.HoldfastException e) {
                System.out.println("a data source does: " + e.code());
            }
        }
    }

    @Test
    void noDriverClassIsNeededBeforeAPoolIsOpenedAndItsLackIsSaid() throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("HikariCP") && !entry.matches(".*[/\\\\]postgresql-[0-9].*\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        Process probe = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java", "-cp", classPath, Probe.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(probe.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("settings made: 5")
                .contains("STORE_UNAVAILABLE false", "HikariCP and the PostgreSQL driver")
                .contains("a data source does: STORE_UNAVAILABLE")
                .doesNotContain("nothing");
    }
}
