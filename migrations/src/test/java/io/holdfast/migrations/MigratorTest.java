package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import org.junit.jupiter.api.Test;

class MigratorTest {

    @Test
    void anEmptyDatabaseIsMigratedAndASecondCallFindsNothingToDo() {
        try (var database = TestDatabase.empty("first migration")) {
            var migrator = Migrator.of(database.dataSource(), "holdfast");
            assertThat(migrator.status(Component.core())).isEqualTo(new SchemaStatus.Missing());
            assertThat(migrator.migrate(Component.core()))
                    .isEqualTo(Component.core().migrations());
            assertThat(migrator.status(Component.core())).isEqualTo(new SchemaStatus.Current(1));
            assertThat(migrator.migrate(Component.core())).isEmpty();
        }
    }
}
