package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.migrations.SchemaStatus.Current;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A migration that loses its connection at any statement that changes something leaves a database that the next finishes. */
@Timeout(300)
class KilledMigrationTest {

    private static final Component TWO_FILES = Component.of(
            "numbers",
            Migration.of(
                    "V1__one.sql", "create table ${schema}.one (n int);\ncreate index one_n on ${schema}.one (n);\n"),
            Migration.of("V2__two.sql", "create table ${schema}.two (n int);\n"));

    @Test
    void aMigrationCutOffAfterAnyStatementIsFinishedByTheNext() throws Exception {
        List<String> statements = statements();
        assertThat(statements).anyMatch(sql -> sql.contains("one_n")).anyMatch("COMMIT"::equals);
        // At once, because Flyway sees only after ten seconds that some of its connections are gone.
        ExecutorService threads = Executors.newFixedThreadPool(statements.size());
        int struck = 0;
        try {
            List<Callable<Boolean>> cuts = new ArrayList<>();
            statements.forEach(statement -> cuts.add(() -> cut(statement)));
            for (Future<Boolean> one : threads.invokeAll(cuts)) {
                struck += one.get() ? 1 : 0;
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(struck).as("statements at which it was cut off").isEqualTo(statements.size());
    }

    private static List<String> statements() {
        try (var database = TestDatabase.empty("whole");
                var proxy = ServerProxy.to(database)) {
            Migrator.of(proxy.dataSource(), SchemaName.DEFAULT).migrate(TWO_FILES);
            return proxy.statements().stream()
                    .filter(sql -> sql.matches("(?is)\\s*(create|alter|insert|update|comment|commit).*"))
                    .distinct()
                    .toList();
        }
    }

    private static boolean cut(String statement) {
        try (var database = TestDatabase.empty("killed");
                var proxy = ServerProxy.to(database)) {
            var strike = proxy.cutAfter(statement);
            try {
                Migrator.of(proxy.dataSource(), SchemaName.DEFAULT).migrate(TWO_FILES);
            } catch (HoldfastException cutOff) {
                assertThat(cutOff.toString()).doesNotContain("jdbc:");
            }
            Migrator next = Migrator.of(database.dataSource(), SchemaName.DEFAULT);
            next.migrate(TWO_FILES);
            assertThat(next.status(TWO_FILES)).as("after %s", statement).isEqualTo(new Current(2));
            assertThat(database.value("select count(*) from pg_locks where locktype = 'advisory'"
                            + " and database = (select oid from pg_database where datname = current_database())"))
                    .isEqualTo("0");
            return strike.happened();
        }
    }
}
