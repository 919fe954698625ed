package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.postgresql.PGConnection;

/**
 * What the tests of this JVM run on is what {@code -Dholdfast.test.on} says, in the words and the order of
 * {@code docs/versions.md}.
 */
@EnabledIfSystemProperty(named = "holdfast.test.on", matches = ".+", disabledReason = "no versions were asked for")
class RunsOnTest {

    @Test
    void whatIsThereIsWhatWasAskedFor() throws Exception {
        List<String> found = List.of(
                "postgresql-" + TestDatabase.get().value("show server_version"),
                "hibernate-" + org.hibernate.Version.getVersionString(),
                "java-" + Runtime.version().feature(),
                "jackson-" + tools.jackson.core.json.PackageVersion.VERSION,
                "jackson2-" + jackson2(),
                "threads-" + (isVirtual(Thread.currentThread()) ? "virtual" : "platform"),
                "autosave-" + autosave(),
                "locale-" + Locale.getDefault().getLanguage());
        assertThat(String.join(",", found)).isEqualTo(System.getProperty("holdfast.test.on"));
    }

    /** By name, since it is not there as a rule. */
    private static String jackson2() throws ReflectiveOperationException {
        try {
            Class<?> version = Class.forName("com.fasterxml.jackson.databind.cfg.PackageVersion");
            return version.getField("VERSION").get(null).toString();
        } catch (ClassNotFoundException e) {
            return "none";
        }
    }

    /** By name, since this is compiled for Java 17, which has none. */
    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }

    private static String autosave() throws SQLException {
        try (Connection connection = TestDatabase.get().dataSource().getConnection()) {
            return connection.unwrap(PGConnection.class).getAutosave().value();
        }
    }
}
