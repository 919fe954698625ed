package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.testing.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaNameTest {

    // G-01, H31: what PostgreSQL would cut, refuse or fold away. 1a, a-b and a.b are accepted, see SchemaName.
    static String[] refused() {
        return new String[] {
            "",
            "a".repeat(64),
            "ü".repeat(32),
            "pg_x",
            "PG_x",
            "Pg_Catalog",
            "a\0b",
            "a\nb",
            "a\u0085b",
            "a\ud800",
            "${schema}"
        };
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aNameThatPostgresCouldNotKeepIsRefused(String name) {
        assertThatThrownBy(() -> new SchemaName(name))
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo("schema"));
    }

    // G-02, H31
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Holdfast",
                "select",
                "Odd Name",
                "1a",
                "a-b",
                "a.b",
                "say \"so\"",
                "it's",
                "a,b",
                "$user",
                "$schema$",
                "größe",
                "a%sb",
                "back\\slash"
            })
    void anOddNameIsMigratedUnderExactlyThatName(String name) {
        try (var database = TestDatabase.empty("odd name")) {
            var migrator = Migrator.of(database.dataSource(), name);
            migrator.migrate(Component.core());
            assertThat(migrator.status(Component.core())).isEqualTo(new SchemaStatus.Current(1));
            assertThat(migrator.migrate(Component.core())).isEmpty();
            assertThat(database.value("""
                            select string_agg(distinct n.nspname, '|')
                              from pg_class c join pg_namespace n on n.oid = c.relnamespace
                             where c.relname in ('workflow', 'lease', 'schema_history_core')
                            """)).isEqualTo(name);
        }
    }

    @Test
    void twoNamesOf63BytesThatDifferInTheLastAreTwoSchemas() {
        try (var database = TestDatabase.empty("long names")) {
            Migrator.of(database.dataSource(), "a".repeat(62) + "b").migrate(Component.core());
            assertThat(Migrator.of(database.dataSource(), "a".repeat(63)).status(Component.core()))
                    .isEqualTo(new SchemaStatus.Missing());
        }
    }
}
