package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Flyway is the library's business and, in the same JVM, perhaps the host's: neither notices the other. */
class FlywayMannersTest {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLoggerName() + " " + new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        Logger.getLogger("").addHandler(listener);
    }

    @AfterEach
    void stopListening() {
        Logger.getLogger("").removeHandler(listener);
    }

    @Test
    void aMigrationLogsWhatWasDoneAndNoConnectionString() {
        try (var database = TestDatabase.empty("quiet")) {
            Migrator.of(database.dataSource(), "holdfast").migrate(Component.core());
            assertThat(lines)
                    .contains("io.holdfast.migrations.Migrator component core in schema \"holdfast\":"
                            + " migrated from version 0 to 1")
                    .noneMatch(line -> line.startsWith("org.flywaydb") || line.contains("jdbc:"));
        }
    }

    @Test
    void aFlywayOfTheHostThatWasMadeBeforeOursStillLogs() {
        try (var database = TestDatabase.empty("host flyway")) {
            Flyway host = Flyway.configure()
                    .dataSource(database.dataSource())
                    .locations("classpath:nothing/here")
                    .load();
            Migrator.of(database.dataSource(), "holdfast").migrate(Component.core());
            host.migrate();
            assertThat(lines).anyMatch(line -> line.startsWith("org.flywaydb"));
        }
    }
}
