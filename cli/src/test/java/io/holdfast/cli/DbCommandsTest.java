package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migration;
import io.holdfast.migrations.Migrator;
import io.holdfast.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DbCommandsTest {

    private TestDatabase database;
    private Shell shell;

    @BeforeEach
    void open() {
        database = TestDatabase.empty("cli_db");
        shell = Shell.on(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static JsonNode json(Shell.Result result) {
        return JsonMapper.shared().readTree(result.out());
    }

    @Test
    void anEmptyDatabaseIsReportedMigratedAndReportedAgain() {
        Shell.Result before = shell.run("db", "status");
        assertThat(before.status()).isEqualTo(1);
        assertThat(before.out()).contains("core ", "operations ").containsPattern("core +missing");
        Shell.Result migrated = shell.run("db", "migrate");
        assertThat(migrated.status()).as(migrated.err()).isZero();
        assertThat(migrated.out()).contains("V1__workflows_keys_leases.sql", "V1__operator_actions.sql");
        Shell.Result after = shell.run("db", "status");
        assertThat(after.status()).isZero();
        assertThat(after.out()).containsPattern("operations +current +1 +1");
        assertThat(shell.run("db", "migrate").out()).isEqualTo("nothing to do\n");
    }

    @Test
    void machinesGetOneDocument() {
        JsonNode before = json(shell.run("db", "status", "--json"));
        assertThat(before.path("works").asBoolean(true)).isFalse();
        assertThat(before.at("/components/0/status").asString()).isEqualTo("missing");
        JsonNode migrated = json(shell.run("db", "migrate", "--json"));
        assertThat(migrated.path("applied").findValuesAsString("component")).contains("core", "operations");
        assertThat(json(shell.run("db", "status", "--json")).path("works").asBoolean(false))
                .isTrue();
    }

    @Test
    void aNewerAnUnknownAndAChangedComponentAreToldApartAndNoneIsTouched() {
        Migrator migrator = Migrator.of(database.directDataSource(), "holdfast");
        Migration two = Migration.of("V2__more.sql", "create table ${schema}.more (n int);\n");
        migrator.migrate(new Component(
                "operations",
                java.util.List.of(OperationsComponent.COMPONENT.migrations().get(0), two),
                java.util.Set.of()));
        migrator.migrate(Component.of("strange", Migration.of("V1__s.sql", "create table ${schema}.s (n int);\n")));
        Shell.Result status = shell.run("db", "status");
        assertThat(status.status()).isEqualTo(1);
        assertThat(status.out())
                .containsPattern("operations +newer +2 +1")
                .containsPattern("strange +unknown")
                .containsPattern("core +missing");
        Shell.Result refused = shell.run("db", "migrate", "--json");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(json(refused).at("/error/code").asString()).isEqualTo("SCHEMA_MISMATCH");
        assertThat(database.value("select count(*) from pg_class where relname = 'workflow'"))
                .isEqualTo("0");

        database.execute("update holdfast.schema_history_operations set checksum = 7 where version = '1'");
        database.execute("delete from holdfast.schema_history_operations where version = '2'");
        assertThat(shell.run("db", "status").out()).containsPattern("operations +damaged .*file changed");
    }

    @Test
    void thePrintedSqlIsWhatMigrateDoes() {
        Shell.Result printed = Shell.nowhere().run("db", "print");
        assertThat(printed.status()).isZero();
        database.execute(printed.out());
        assertThat(shell.run("db", "status").status()).isZero();
        assertThat(shell.run("db", "migrate").out()).isEqualTo("nothing to do\n");
        try (TestDatabase migrated = TestDatabase.empty("cli_db")) {
            assertThat(Shell.on(migrated).run("db", "migrate").status()).isZero();
            String tables = "select string_agg(concat_ws(' ', c.relname, c.relkind, a.attname,"
                    + " format_type(a.atttypid, a.atttypmod), a.attnotnull, obj_description(c.oid),"
                    + " col_description(c.oid, a.attnum)), E'\\n' order by c.relname, a.attnum)"
                    + " from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0"
                    + " where c.relnamespace = 'holdfast'::regnamespace";
            assertThat(database.value(tables)).isNotNull().isEqualTo(migrated.value(tables));
            String functions =
                    "select string_agg(pg_get_functiondef(oid) || obj_description(oid), E'\\n' order by proname)"
                            + " from pg_proc where pronamespace = 'holdfast'::regnamespace";
            assertThat(database.value(functions)).contains("step_begin_v1").isEqualTo(migrated.value(functions));
        }
    }

    @Test
    void sqlFromAVersionIsPrintedForOneComponentOnly() {
        Shell.Result rest = Shell.nowhere().run("db", "print", "--component", "core", "--from", "1");
        assertThat(rest.out()).contains("component core is not at version 1").doesNotContain("create table");
        assertThat(Shell.nowhere().run("db", "print", "--from", "1").status()).isEqualTo(2);
        assertThat(Shell.nowhere()
                        .run("db", "print", "--component", "core", "--from", "2")
                        .status())
                .isEqualTo(2);
        Shell.Result unknown = Shell.nowhere().run("db", "print", "--component", "x");
        assertThat(unknown.err()).contains("--component is one of core, ", "operations");
    }

    @Test
    void thatTheToolsOwnComponentIsMissingIsSaidAndNoFault() {
        Migrator.of(database.directDataSource(), "holdfast")
                .migrate(Components.of(Components.installed().inOrder().stream()
                        .filter(component -> !component.name().equals("operations"))
                        .toArray(Component[]::new)));
        Shell.Result status = shell.run("db", "status");
        assertThat(status.status()).isZero();
        assertThat(status.out())
                .containsPattern(
                        "operations +missing +- +1 +of this tool alone, for lease break, workflow cancel and approval settle");
        assertThat(json(shell.run("db", "status", "--json")).path("works").asBoolean(false))
                .isTrue();
        assertThat(shell.run("db", "status", "--component", "operations").status())
                .as("whoever names it wants it")
                .isEqualTo(1);
    }

    @Test
    void onlyTheComponentsThatAreNamedAreLookedAtMigratedAndPrinted() {
        Shell.Result migrated = shell.run("db", "migrate", "--component", "core");
        assertThat(migrated.out()).contains("V1__workflows_keys_leases.sql").doesNotContain("operator_action");
        Shell.Result core = shell.run("db", "status", "--component", "core");
        assertThat(core.status()).isZero();
        assertThat(core.out()).doesNotContain("operations");
        assertThat(shell.run("db", "status", "--component", "core", "--component", "operations")
                        .status())
                .isEqualTo(1);
        assertThat(shell.run("db", "migrate", "--component", "nothing").status())
                .isEqualTo(2);
        String printed = Shell.nowhere()
                .run("db", "print", "--component", "operations", "--component", "core")
                .out();
        assertThat(printed.indexOf("Component core"))
                .as("in the order of migration")
                .isBetween(0, printed.indexOf("Component operations"));
    }

    @Test
    void whatANamedComponentReliesOnIsMigratedWithIt() {
        assertThat(shell.run("db", "migrate", "--component", "operations").out())
                .contains("V1__workflows_keys_leases.sql", "V1__operator_actions.sql");
    }

    /** Also those that later releases add. */
    @Test
    void everyComponentOfTheJarIsListed() {
        String status = shell.run("db", "status").out();
        String printed = Shell.nowhere().run("db", "print").out();
        for (Component component : Components.installed()) {
            assertThat(status).containsPattern("(?m)^" + component.name() + " ");
            assertThat(printed).contains("Component " + component.name() + ",");
        }
    }

    @Test
    void anotherSchemaIsObeyed() {
        Shell elsewhere = shell.with("HOLDFAST_SCHEMA", "Odd Name");
        assertThat(elsewhere.run("db", "migrate").status()).isZero();
        assertThat(elsewhere.run("db", "status").status()).isZero();
        assertThat(shell.run("db", "status").status()).isEqualTo(1);
    }

    @Test
    void readingCommandsChangeNothing() {
        shell.run("db", "status");
        assertThat(database.value("select count(*) from pg_namespace where nspname = 'holdfast'"))
                .isEqualTo("0");
    }
}
