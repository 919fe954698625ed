package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules that every table of Holdfast's own components keeps, asked of the catalogue. */
class OwnTablesTest {

    private static final Path FILES = Path.of("src/main/resources/io/holdfast/migrations");

    /** Our tables, their columns and indexes. Flyway makes the history table; its rules are its own. */
    private static final String CATALOGUE = """
            with tab as (select oid, relname::text as name from pg_class
                          where relnamespace = 'holdfast'::regnamespace and relkind in ('r', 'p')
                            and relname !~ '^schema_history_'),
                 col as (select t.oid as tab, t.name || '.' || a.attname as name, a.attnum, a.atttypid, a.atttypmod
                           from tab t join pg_attribute a on a.attrelid = t.oid
                          where a.attnum > 0 and not a.attisdropped),
                 fun as (select oid, proname::text as name, prosecdef, proconfig, prosrc from pg_proc
                          where pronamespace = 'holdfast'::regnamespace),
                 idx as (select x.oid, x.relname::text as name, i.indisprimary, i.indkey, t.oid as tab, t.name as of_table
                           from tab t join pg_index i on i.indrelid = t.oid join pg_class x on x.oid = i.indexrelid)
            """;

    /** Each asks for those that break a rule. */
    enum Rule {
        EVERY_TABLE_HAS_A_COMMENT("select name from tab where obj_description(oid, 'pg_class') is null"),
        EVERY_COLUMN_HAS_A_COMMENT("select name from col where col_description(tab, attnum) is null"),
        EVERY_SECONDARY_INDEX_HAS_A_COMMENT(
                "select name from idx where not indisprimary and obj_description(oid, 'pg_class') is null"),
        EVERY_CONSTRAINT_HAS_A_NAME_OF_OURS("""
                select o.conname from tab t join pg_constraint o on o.conrelid = t.oid
                 where o.contype <> 'n'   -- not null, which has a name only from PostgreSQL 18 on
                   and (not starts_with(o.conname, t.name || '_')
                        or o.conname ~ '_(check|key|pkey|fkey|excl)[0-9]*$')   -- what PostgreSQL would call it
                """),
        EVERY_INDEX_HAS_A_NAME_OF_OURS("""
                select name from idx where not starts_with(name, of_table || '_') or name ~ '_(key|pkey|idx|excl)[0-9]*$'
                """),
        THE_SCOPE_IS_FIRST_IN_EVERY_INDEX("""
                select i.name from idx i join col c on c.tab = i.tab and c.attnum = i.indkey[0]
                 where c.name <> i.of_table || '.scope'
                """),
        TEXT_IN_AN_INDEX_IS_IN_BYTE_ORDER("""
                select i.name || '.' || a.attname
                  from idx i join pg_attribute a on a.attrelid = i.oid join pg_collation l on l.oid = a.attcollation
                 where l.collname <> 'C'
                """),
        // No oid (a large object is not in the table's backup), no varchar, no timestamp without a zone.
        COLUMNS_HAVE_FEW_TYPES("""
                select name from col
                 where format_type(atttypid, atttypmod) not in
                       ('text', 'bigint', 'integer', 'boolean', 'jsonb', 'uuid', 'timestamp with time zone')
                """),
        EVERY_TEXT_IS_BOUNDED_IN_LENGTH("""
                select name from col
                 where atttypid in ('text'::regtype, 'varchar'::regtype)
                   and not exists (select from pg_constraint o
                                    where o.conrelid = tab and o.contype = 'c' and o.conkey = array[attnum])
                """),
        EVERY_FUNCTION_HAS_A_COMMENT("select name from fun where obj_description(oid, 'pg_proc') is null"),
        EVERY_FUNCTION_HAS_A_VERSION("select name from fun where name !~ '_v[1-9][0-9]*$'"),
        // With the rights of who calls it, and no setting but how to look: "set search_path" costs more than the rest
        // of a call.
        A_FUNCTION_IS_THE_CALLERS_OWN("""
                select name from fun
                 where prosecdef or not coalesce(proconfig, '{}') <@ '{enable_sort=off,enable_incremental_sort=off}'
                """),
        // A block that catches errors is a subtransaction: its locks and numbers cost all others.
        NO_FUNCTION_CATCHES_AN_ERROR("select name from fun where prosrc ~* '\\mexception\\M'"),
        THERE_ARE_NO_SEQUENCES(
                "select relname from pg_class where relkind = 'S' and relnamespace = 'holdfast'::regnamespace");

        private final String breakers;

        Rule(String breakers) {
            this.breakers = breakers;
        }
    }

    private final TestDatabase database = TestDatabase.get();

    static List<Component> components() {
        return Components.own().inOrder();
    }

    @Test
    void everyFolderOfFilesIsAComponent() throws IOException {
        try (var folders = Files.list(FILES)) {
            assertThat(folders.map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            components().stream().map(Component::name).toList());
        }
    }

    @ParameterizedTest
    @MethodSource("components")
    void theListOfMigrationsIsTheFilesInTheirOrder(Component component) throws IOException {
        List<Migration> files = new ArrayList<>();
        try (var paths = Files.list(FILES.resolve(component.name()))) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                files.add(Migration.of(path.getFileName().toString(), Files.readString(path, StandardCharsets.UTF_8)));
            }
        }
        files.sort(Comparator.comparingInt(Migration::version));
        assertThat(component.migrations()).isEqualTo(files);
        assertThat(component.version()).isEqualTo(files.size());
    }

    @Test
    void theTablesAndFunctionsAreThoseThatTheComponentsName() {
        assertThat(list(database, "select name from tab"))
                .containsExactlyInAnyOrderElementsOf(components().stream()
                        .flatMap(component -> component.tables().stream())
                        .toList())
                .contains("lease_floor");
        assertThat(list(database, "select name from fun"))
                .containsExactlyInAnyOrderElementsOf(components().stream()
                        .flatMap(component -> component.functions().stream())
                        .toList())
                .contains("step_begin_v1");
    }

    @ParameterizedTest
    @MethodSource("components")
    void theChecksumIsWhatFlywayRecorded(Component component) {
        assertThat(list(
                        database,
                        "select checksum from holdfast." + component.historyTable()
                                + " where type = 'SQL' order by installed_rank"))
                .isEqualTo(component.migrations().stream()
                        .map(migration -> Integer.toString(migration.checksum()))
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void everyTableKeepsTheRule(Rule rule) {
        assertThat(list(database, rule.breakers)).isEmpty();
    }

    @Test
    void aTableThatBreaksEveryRuleIsNoticedByEveryRule() {
        try (var broken = TestDatabase.migrated("broken rules")) {
            broken.execute(
                    "create table holdfast.broken (name varchar primary key, file oid, id serial unique)",
                    "create function holdfast.broken() returns void security definer language plpgsql as"
                            + " 'begin exception when others then null; end'");
            assertThat(Rule.values())
                    .allSatisfy(rule -> assertThat(list(broken, rule.breakers))
                            .as(rule.name())
                            .isNotEmpty());
        }
    }

    @Test
    void theTablesStandInADatabaseWithATurkishLocaleToo() {
        try (var turkish = TestDatabase.emptyWithLocale("turkish", "tr-TR")) {
            Migrator.of(turkish.dataSource(), "holdfast").migrate(Components.own());
            turkish.execute("insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                    + " values ('', 'trigger.tick', 'I', 'ISTANBUL', 1, 1000, now(), now())");
            assertThat(turkish.value("select lower('I' collate \"default\")")).isEqualTo("ı");
        }
    }

    private static List<String> list(TestDatabase database, String query) {
        String joined = database.value(
                CATALOGUE + "select coalesce(string_agg(value::text, '|'), '') from (" + query + ") q (value)");
        return joined == null || joined.isEmpty() ? List.of() : List.of(joined.split("\\|"));
    }
}
