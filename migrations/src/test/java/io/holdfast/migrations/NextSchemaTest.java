package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.NextSchema;
import io.holdfast.testing.TestDatabase;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the lane {@code overlap} runs the contracts on until there is a release: tables that are ahead of this one. */
class NextSchemaTest {

    @Test
    void thisReleaseFindsItselfBehindTheNextAndWorksWithIt() {
        try (TestDatabase database = TestDatabase.empty("next")) {
            Migrator migrator = Migrator.of(database.directDataSource(), TestDatabase.SCHEMA);
            migrator.migrate(NextSchema.after(Components.own()));
            Map<String, SchemaStatus> statuses = migrator.status(Components.own());
            assertThat(statuses)
                    .isNotEmpty()
                    .allSatisfy((name, status) -> assertThat(status).isInstanceOf(SchemaStatus.Ahead.class));
        }
    }

    @Test
    void theTablesOfTestsAreThoseOfTheSchemaThatIsAskedFor() {
        boolean next = System.getProperty("holdfast.test.schema", "").equals("next");
        try (TestDatabase database = TestDatabase.migrated("next")) {
            assertThat(database.value("select count(*) from pg_class where relname = 'made_up_of_core'"))
                    .isEqualTo(next ? "1" : "0");
        }
    }
}
