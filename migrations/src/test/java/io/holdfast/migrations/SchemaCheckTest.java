package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.StoreDeniedException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.migrations.SchemaStatus.Damaged;
import io.holdfast.migrations.SchemaStatus.Fault;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaCheckTest {

    private static final String MADE = "workflow, workflow_label, idempotency_key, lease, lease_floor,"
            + " step_others_end_v1(), step_begin_v1(), step_finish_v1(), step_whole_v1()";

    private static final SchemaName SCHEMA = SchemaName.DEFAULT;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.migrated("schema check");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aMigratedSchemaPassesInOneRoundTrip() throws SQLException {
        try (var proxy = ServerProxy.to(database);
                Connection connection = proxy.dataSource().getConnection()) {
            proxy.reset();
            SchemaCheck.require(connection, SCHEMA, Component.core());
            assertThat(proxy.roundTrips()).isEqualTo(1);
        }
    }

    @Test
    void aMissingSchemaIsAClearErrorThatSaysWhatToCall() throws SQLException {
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> SchemaCheck.require(connection, new SchemaName("Nowhere"), Component.core()))
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessage("component core in schema \"Nowhere\" is missing: call Migrator.of(dataSource, schema)"
                            + ".migrate(Components.own()) with a role that may create there, or name the schema that was"
                            + " migrated");
        }
    }

    @Test
    void aSchemaWithoutOurTablesIsMissingToo() {
        database.execute("create schema theirs", "create table theirs.customer (id int)");
        assertThat(status(database, "theirs")).isEqualTo(new SchemaStatus.Missing());
    }

    @Test
    void anOlderSchemaIsRefusedWithBothVersions() throws SQLException {
        var next = Component.of(
                "core",
                Component.core().migrations().get(0),
                Migration.of("V2__more.sql", "create table ${schema}.more (n int);\n"));
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> SchemaCheck.require(connection, SCHEMA, next))
                    .isInstanceOfSatisfying(
                            SchemaMismatchException.class,
                            e -> assertThat(e.details())
                                    .containsEntry("database_schema_version", "1")
                                    .containsEntry("supported_schema_version", "2"))
                    .hasMessageContaining("call Migrator.of");
        }
    }

    // G-06, H34: what the history says is not believed, the tables are looked for.
    @ParameterizedTest
    @ValueSource(strings = {"workflow", "idempotency_key", "lease", "lease_floor"})
    void aRecordedVersionWithoutItsTableIsDamaged(String table) {
        database.execute("drop table holdfast." + table + " cascade");
        assertThat(status(database, "holdfast")).isEqualTo(new Damaged(Fault.TABLES_MISSING, table));
        assertRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"step_others_end_v1", "step_begin_v1", "step_finish_v1", "step_whole_v1"})
    void aRecordedVersionWithoutItsFunctionIsDamaged(String function) {
        database.execute("drop function holdfast." + function);
        assertThat(status(database, "holdfast")).isEqualTo(new Damaged(Fault.TABLES_MISSING, function + "()"));
        assertRefused();
    }

    /** As a copy that is kept beside what is restored: what its functions say would be done to the other's tables. */
    @Test
    void aSchemaThatWasRenamedIsDamagedBecauseItsFunctionsAreNot() {
        database.execute("alter schema holdfast rename to kept");
        assertThat(status(database, "kept"))
                .isEqualTo(new Damaged(
                        Fault.TABLES_MISSING,
                        "step_others_end_v1(), step_begin_v1(), step_finish_v1(), step_whole_v1()"));
    }

    /** A relation may be called as a function is, brackets and all, without being taken for one. */
    @Test
    void aTableThatIsCalledAsAFunctionIsNoFunction() {
        database.execute("create view holdfast.\"step_begin_v1()\" as select 1");
        assertThat(status(database, "holdfast")).isEqualTo(new SchemaStatus.Current(1));
        database.execute("drop function holdfast.step_begin_v1");
        assertThat(status(database, "holdfast")).isEqualTo(new Damaged(Fault.TABLES_MISSING, "step_begin_v1()"));
    }

    // H34
    @Test
    void aHistoryThatSomebodyWroteByHandIsDamaged() {
        database.execute(
                "create schema forged",
                "create table forged.schema_history_core as select * from holdfast.schema_history_core");
        assertThat(status(database, "forged")).isEqualTo(new Damaged(Fault.TABLES_MISSING, MADE));
    }

    // G-07
    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "-1", "1.5", "", " 1", "99999999999999999999", "\u0001<&>'"})
    void aVersionThatIsNoNumberIsAMismatchAndNotAnOutage(String version) {
        database.execute("update holdfast.schema_history_core set version = $q$" + version + "$q$ where type = 'SQL'");
        assertThat(status(database, "holdfast")).isInstanceOfSatisfying(Damaged.class, damaged -> {
            assertThat(damaged.fault()).isEqualTo(Fault.HISTORY_UNREADABLE);
            assertThat(damaged.detail()).isEqualTo("schema_history_core has a version that is no number");
        });
        assertRefused();
    }

    @Test
    void aNewerVersionIsRefusedAtOpening() {
        database.execute("update holdfast.schema_history_core set version = '7' where type = 'SQL'");
        assertThat(status(database, "holdfast")).isEqualTo(new SchemaStatus.Newer(7, 1));
        assertRefused();
    }

    @Test
    void aMigrationRecordedAsFailedIsDamaged() {
        database.execute("update holdfast.schema_history_core set success = false where type = 'SQL'");
        assertThat(status(database, "holdfast")).isEqualTo(new Damaged(Fault.MIGRATION_FAILED, "version 1"));
        assertRefused();
    }

    @Test
    void aHistoryWithOtherColumnsIsDamagedAndNoError() {
        database.execute("alter table holdfast.schema_history_core rename column version to release");
        assertThat(status(database, "holdfast"))
                .isEqualTo(new Damaged(Fault.HISTORY_UNREADABLE, "schema_history_core has other columns"));
        assertRefused();
    }

    @Test
    void tablesWithoutAHistoryAreNotTakenForOurs() {
        database.execute("drop table holdfast.schema_history_core");
        assertThat(status(database, "holdfast")).isEqualTo(new Damaged(Fault.NAMES_TAKEN, MADE));
        assertRefused();
    }

    // G-09, H33
    @Test
    void aRoleWithUsageAndDmlOnlyPasses() throws SQLException {
        try (var runtime = database.asRuntimeRole("holdfast");
                Connection connection = runtime.connect()) {
            assertThatCode(() -> SchemaCheck.require(connection, SCHEMA, Component.core()))
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "grant usage on schema holdfast to %s", "grant select on all tables in schema holdfast to %s"
            })
    void aRoleThatMayNotReadTheHistoryIsToldWhatToGrant(String grant) throws SQLException {
        try (var weak = grant.isEmpty() ? database.as() : database.as(grant);
                Connection connection = weak.connect()) {
            assertThatThrownBy(() -> SchemaCheck.require(connection, SCHEMA, Component.core()))
                    .isInstanceOf(StoreDeniedException.class)
                    .hasMessageContaining("usage on the schema");
        }
    }

    @Test
    void aRefusalLeavesTheCallersTransactionUsable() throws SQLException {
        database.execute("create table public.business (n int)");
        try (var weak = database.as("grant insert on public.business to %s");
                Connection connection = weak.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("insert into public.business values (0)");
            assertThatThrownBy(() -> SchemaCheck.require(connection, SCHEMA, Component.core()))
                    .isInstanceOf(StoreDeniedException.class);
            assertThatThrownBy(() -> SchemaCheck.require(connection, new SchemaName("nowhere"), Component.core()))
                    .isInstanceOf(SchemaMismatchException.class);
            statement.execute("insert into public.business values (1)");
            connection.commit();
        }
        assertThat(database.value("select count(*) from public.business")).isEqualTo("2");
    }

    @Test
    void aReadOnlyTransactionIsEnough() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            SchemaCheck.require(connection, SCHEMA, Component.core());
        }
    }

    @Test
    void aConnectionThatBreaksIsAnOutageWhoseTextTellsNothing() throws SQLException {
        try (var proxy = ServerProxy.to(database);
                Connection connection = proxy.dataSource().getConnection()) {
            proxy.cutNow();
            assertThatThrownBy(() -> SchemaCheck.require(connection, SCHEMA, Component.core()))
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            e -> assertThat(e.retryable()).isTrue())
                    .hasMessageStartingWith("schema check: the database is not available (SQLState ")
                    .hasNoCause();
        }
    }

    private void assertRefused() {
        String before = CatalogueDump.of(database);
        assertThatThrownBy(() -> Migrator.of(database.dataSource(), SCHEMA).migrate(Component.core()))
                .isInstanceOf(SchemaMismatchException.class);
        assertThat(CatalogueDump.of(database)).isEqualTo(before);
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> SchemaCheck.require(connection, SCHEMA, Component.core()))
                    .isInstanceOf(SchemaMismatchException.class);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static SchemaStatus status(TestDatabase database, String schema) {
        return Migrator.of(database.dataSource(), schema).status(Component.core());
    }
}
