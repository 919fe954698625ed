package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.migrations.SchemaStatus.Current;
import io.holdfast.testing.TestDatabase;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The SQL that is printed does what {@code migrate} does. */
class SchemaScriptTest {

    private static final Migration ONE = Migration.of("V1__one.sql", "create table ${schema}.one (n int);\n");
    private static final Migration TWO = Migration.of(
            "V2__and_two.sql", "create table ${schema}.two (n int);\r\ncomment on table ${schema}.two is '2';");
    private static final Component OLD = Component.of("numbers", ONE);
    private static final Component NEW = Component.of("numbers", ONE, TWO);

    @ParameterizedTest
    @ValueSource(strings = {"holdfast", "Odd \"Name\" it's \\ $1"})
    void thePrintedSqlLeavesTheSameCatalogueAsMigrate(String name) throws SQLException {
        SchemaName schema = new SchemaName(name);
        try (var migrated = TestDatabase.empty("migrated");
                var scripted = TestDatabase.empty("scripted")) {
            Migrator.of(migrated.dataSource(), schema).migrate(Component.core());
            run(scripted, SchemaScript.of(schema, Component.core()).whole());
            assertThat(catalogue(scripted, schema)).isEqualTo(catalogue(migrated, schema));
            Migrator over = Migrator.of(scripted.dataSource(), schema);
            assertThat(over.status(Component.core())).isEqualTo(new Current(1));
            assertThat(over.migrate(Component.core())).isEmpty();
        }
    }

    @Test
    void whatIsPrintedFromAVersionGoesOnFromItAndOnlyFromIt() throws SQLException {
        try (var migrated = TestDatabase.empty("migrated");
                var scripted = TestDatabase.empty("scripted")) {
            Migrator.of(migrated.dataSource(), SchemaName.DEFAULT).migrate(NEW);
            run(scripted, SchemaScript.of(SchemaName.DEFAULT, OLD).whole());
            String rest = SchemaScript.of(SchemaName.DEFAULT, NEW).from(1);
            run(scripted, rest);
            assertThat(catalogue(scripted, SchemaName.DEFAULT)).isEqualTo(catalogue(migrated, SchemaName.DEFAULT));
            assertThat(Migrator.of(scripted.dataSource(), SchemaName.DEFAULT).status(NEW))
                    .isEqualTo(new Current(2));
            String before = CatalogueDump.of(scripted);
            assertThatThrownBy(() -> run(scripted, rest)).hasMessageContaining("numbers is not at version 1");
            assertThat(CatalogueDump.of(scripted)).isEqualTo(before);
        }
    }

    @Test
    void migrateGoesOnFromWhatWasPrinted() throws SQLException {
        try (var scripted = TestDatabase.empty("scripted")) {
            run(scripted, SchemaScript.of(SchemaName.DEFAULT, OLD).whole());
            Migrator migrator = Migrator.of(scripted.dataSource(), SchemaName.DEFAULT);
            assertThat(migrator.migrate(NEW)).containsExactly(TWO);
            assertThat(migrator.status(NEW)).isEqualTo(new Current(2));
        }
    }

    @Test
    void aRoleThatMayOnlyCreateInTheSchemaThereIsCanRunIt() throws SQLException {
        try (var owner = TestDatabase.empty("scripted")) {
            owner.execute("create schema holdfast");
            try (var limited = owner.as("grant usage, create on schema holdfast to %s")) {
                run(limited, SchemaScript.of(SchemaName.DEFAULT, OLD).whole());
                run(limited, SchemaScript.of(SchemaName.DEFAULT, NEW).from(1));
                assertThat(Migrator.of(limited.dataSource(), SchemaName.DEFAULT).status(NEW))
                        .isEqualTo(new Current(2));
            }
        }
    }

    @Test
    void aSchemaNamedLikeTheQuotesOfAScriptIsWrittenToo() throws SQLException {
        SchemaName schema = new SchemaName("a $guard$ 'of' $guard_$ \\");
        try (var scripted = TestDatabase.empty("scripted")) {
            run(scripted, SchemaScript.of(schema, OLD).whole());
            run(scripted, SchemaScript.of(schema, NEW).from(1));
            assertThat(Migrator.of(scripted.dataSource(), schema).status(NEW)).isEqualTo(new Current(2));
        }
    }

    @Test // in the locale of Egypt, a formatted number is written in digits that SQL does not read
    void theDigitsAreThoseOfSqlInEveryLocale() {
        Locale before = Locale.getDefault();
        String usual = SchemaScript.of(SchemaName.DEFAULT, Component.core()).whole();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat("%d".formatted(1)).as("the locale makes a difference").isNotEqualTo("1");
            assertThat(SchemaScript.of(SchemaName.DEFAULT, Component.core()).whole())
                    .isEqualTo(usual);
            assertThat(SchemaScript.of(SchemaName.DEFAULT, Component.core()).from(1))
                    .contains("distinct from 1 then");
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, -1})
    void aVersionThatIsNoneIsRefused(int version) {
        SchemaScript script = SchemaScript.of(SchemaName.DEFAULT, NEW);
        assertThatThrownBy(() -> script.from(version))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("version must be 1 to 2");
    }

    private static void run(TestDatabase database, String script) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute(script);
        }
    }

    /** Without what says when and by whom: oids, row versions, times. */
    private static String catalogue(TestDatabase database, SchemaName schema) {
        return Objects.requireNonNull(database.value("""
                with c as (select c.* from pg_class c where c.relnamespace = (
                             select oid from pg_namespace where nspname = $n$%1$s$n$)),
                     f as (select p.* from pg_proc p where p.pronamespace = (
                             select oid from pg_namespace where nspname = $n$%1$s$n$))
                select string_agg(line, E'\\n' order by line) from (
                    select concat_ws(' ', 'relation', relname, relkind, relpersistence, reloptions) from c
                    union all
                    select concat_ws(' ', 'column', c.relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
                                     attcollation::regcollation, attgenerated, attstorage, pg_get_expr(adbin, adrelid))
                      from pg_attribute join c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
                     where attnum > 0
                    union all
                    select concat_ws(' ', 'index', pg_get_indexdef(c.oid)) from c where relkind = 'i'
                    union all
                    select concat_ws(' ', 'constraint', c.relname, conname, pg_get_constraintdef(pg_constraint.oid))
                      from pg_constraint join c on c.oid = conrelid
                    union all
                    select concat_ws(' ', 'function', pg_get_functiondef(f.oid)) from f
                    union all
                    select concat_ws(' ', 'comment', o.name, objsubid, description)
                      from pg_description
                      join (select oid, relname as name from c union all select oid, proname from f) o on o.oid = objoid
                    union all
                    select concat_ws(' ', 'history', relname, query_to_xml(format(
                               'select installed_rank, version, description, type, script, checksum, success from %%s'
                                   || ' where type = ''SQL'' order by 1', c.oid::regclass), true, false, ''))
                      from c where relname like 'schema\\_history\\_%%' and relkind = 'r') dump (line)
                """.formatted(schema.value())));
    }
}
