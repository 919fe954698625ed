package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.StoreDeniedException;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.migrations.SchemaStatus.Current;
import io.holdfast.migrations.SchemaStatus.Missing;
import io.holdfast.migrations.SchemaStatus.Newer;
import io.holdfast.migrations.SchemaStatus.Pending;
import io.holdfast.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MigratorTest {

    private static final Migration ONE = Migration.of("V1__one.sql", "create table ${schema}.one (n int);\n");
    private static final Migration TWO = Migration.of("V2__two.sql", "create table ${schema}.two (n int);\n");
    private static final Component OLD = Component.of("numbers", ONE);
    private static final Component NEW = Component.of("numbers", ONE, TWO);

    private TestDatabase database;
    private Migrator migrator;

    @BeforeEach
    void open() {
        database = TestDatabase.empty("migrator");
        migrator = Migrator.of(database.dataSource(), "holdfast");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anEmptyDatabaseIsMigratedAndASecondCallFindsNothingToDo() {
        assertThat(migrator.status(Component.core())).isEqualTo(new Missing());
        assertThat(migrator.migrate(Component.core()))
                .isEqualTo(Component.core().migrations());
        assertThat(migrator.status(Component.core())).isEqualTo(new Current(1));
        assertThat(migrator.migrate(Component.core())).isEmpty();
    }

    @Test
    void onlyWhatIsPendingIsApplied() {
        migrator.migrate(OLD);
        assertThat(migrator.status(NEW)).isEqualTo(new Pending(1, 2));
        assertThat(migrator.migrate(NEW)).containsExactly(TWO);
        assertThat(migrator.status(NEW)).isEqualTo(new Current(2));
    }

    @Test
    void componentsShareASchemaAndEachHasAHistoryOfItsOwn() {
        migrator.migrate(Component.core());
        migrator.migrate(NEW);
        assertThat(migrator.status(Component.core())).isEqualTo(new Current(1));
        assertThat(migrator.status(NEW)).isEqualTo(new Current(2));
    }

    @Test
    void aSchemaWithOtherTablesInItIsTakenAlong() {
        database.execute("create table public.customer (id int)");
        Migrator inPublic = Migrator.of(database.dataSource(), "public");
        assertThat(inPublic.migrate(Component.core())).hasSize(1);
        assertThat(inPublic.status(Component.core())).isEqualTo(new Current(1));
    }

    // The rule of the design: refused and untouched, down to the last row version.
    @Test
    void aNewerSchemaIsRefusedAndLeftUntouched() {
        migrator.migrate(NEW);
        String before = CatalogueDump.of(database);
        assertThat(migrator.status(OLD)).isEqualTo(new Newer(2, 1));
        assertThatThrownBy(() -> migrator.migrate(OLD))
                .isInstanceOfSatisfying(
                        SchemaMismatchException.class,
                        e -> assertThat(e.details())
                                .containsEntry("database_schema_version", "2")
                                .containsEntry("supported_schema_version", "1"))
                .hasMessageContaining("newer release");
        assertThat(CatalogueDump.of(database)).isEqualTo(before);
    }

    @Test
    void theDumpThatShowsNothingWasTouchedShowsAnUpdateThatChangesNothing() {
        migrator.migrate(OLD);
        String before = CatalogueDump.of(database);
        database.execute("update holdfast.schema_history_numbers set success = success");
        assertThat(CatalogueDump.of(database)).isNotEqualTo(before);
    }

    @Test
    void aFileThatChangedAfterItWasAppliedIsRefused() {
        migrator.migrate(OLD);
        var changed = Component.of("numbers", Migration.of("V1__one.sql", ONE.sql() + "-- one more line\n"), TWO);
        String before = CatalogueDump.of(database);
        assertThatThrownBy(() -> migrator.migrate(changed))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContaining("FILE_CHANGED")
                .hasMessageContaining("V1__one.sql");
        assertThat(CatalogueDump.of(database)).isEqualTo(before);
    }

    @Test
    void theSameFileWithOtherLineEndsIsNoChange() {
        migrator.migrate(Component.core());
        Migration file = Component.core().migrations().get(0);
        var windows = Component.of("core", Migration.of(file.file(), file.sql().replace("\n", "\r\n")));
        assertThat(migrator.status(windows)).isEqualTo(new Current(1));
    }

    @Test
    void tablesOfTheSameNameThatSomebodyElseMadeAreRefusedBeforeAnythingChanges() {
        database.execute("create schema holdfast", "create view holdfast.lease as select 1 as n");
        String before = CatalogueDump.of(database);
        assertThatThrownBy(() -> migrator.migrate(Component.core()))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContaining("NAMES_TAKEN (lease)");
        assertThat(CatalogueDump.of(database)).isEqualTo(before);
    }

    @Test
    void aMigrationThatFailsLeavesTheVersionBeforeItAndItsErrorTellsNoSql() {
        var broken = Component.of(
                "numbers",
                ONE,
                Migration.of("V2__two.sql", "create table ${schema}.two (n int); select secret_function();"));
        assertThatThrownBy(() -> migrator.migrate(broken)).satisfies(e -> {
            assertThat(e.toString()).doesNotContain("secret_function", "jdbc:", database.name());
            assertThat(e).hasNoCause();
        });
        assertThat(migrator.status(NEW)).isEqualTo(new Pending(1, 2));
        assertThat(migrator.migrate(NEW)).containsExactly(TWO);
    }

    @Test
    void theWaitForSomebodyElsesMigrationIsBounded() throws SQLException {
        try (Connection other = database.connect();
                MigrationLock held = MigrationLock.take(other, SchemaName.DEFAULT, Duration.ofSeconds(1))) {
            assertThatThrownBy(
                            () -> migrator.waitingAtMost(Duration.ofMillis(50)).migrate(Component.core()))
                    .isInstanceOf(StoreTimeoutException.class);
            // Another schema of the same database is nobody's concern.
            assertThat(Migrator.of(database.dataSource(), "elsewhere").migrate(Component.core()))
                    .hasSize(1);
        }
        assertThat(migrator.status(Component.core())).isEqualTo(new Missing());
        assertThat(migrator.migrate(Component.core())).hasSize(1);
    }

    // H32
    @Test
    void aPoolWithoutAutocommitMigratesJustTheSame() {
        Migrator manual = Migrator.of(withoutAutocommit(database.dataSource()), "holdfast");
        assertThat(manual.migrate(Component.core())).hasSize(1);
        assertThat(migrator.status(Component.core())).isEqualTo(new Current(1));
    }

    @Test
    void aRoleThatMayNotCreateIsTypedAsDeniedAndWhatIsCurrentNeedsNoSuchRight() {
        try (var limited = database.as()) {
            Migrator weak = Migrator.of(limited.dataSource(), "holdfast");
            assertThatThrownBy(() -> weak.migrate(Component.core())).isInstanceOf(StoreDeniedException.class);
        }
        migrator.migrate(Component.core());
        try (var runtime = database.asRuntimeRole("holdfast")) {
            assertThat(Migrator.of(runtime.dataSource(), "holdfast").migrate(Component.core()))
                    .isEmpty();
        }
    }

    @Test
    void aSchemaThatAnAdministratorMadeIsEnoughForARoleThatMayCreateTablesInIt() {
        database.execute("create schema holdfast");
        try (var owner = database.as("grant usage, create on schema holdfast to %s")) {
            assertThat(Migrator.of(owner.dataSource(), "holdfast").migrate(Component.core()))
                    .hasSize(1);
        }
    }

    private static DataSource withoutAutocommit(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                MigratorTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    try {
                        Object result = method.invoke(source, arguments);
                        if (result instanceof Connection connection) {
                            connection.setAutoCommit(false);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
