package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host's unit whose owner lets Hibernate look after tables, or forgot ours. */
class SchemaToolTest {

    private static final String CATALOGUE = """
            select string_agg(line, E'\\n' order by line) from (
              select concat_ws(' ', table_name, column_name, data_type, character_maximum_length, collation_name,
                               column_default, is_nullable, generation_expression) as line
                from information_schema.columns where table_schema = 'holdfast'
              union all
              select pg_get_constraintdef(oid) || conname from pg_constraint where connamespace = 'holdfast'::regnamespace
              union all
              select indexdef from pg_indexes where schemaname = 'holdfast') lines
            """;

    @ParameterizedTest
    @ValueSource(strings = {"update", "validate", "none"})
    void hibernatesSchemaToolFindsNothingToChange(String action) {
        try (TestDatabase database = TestDatabase.migrated("tool")) {
            String before = database.value(CATALOGUE);
            try (EntityManagerFactory factory = unit(database, action, true)) {
                Holdfast.over(factory).close();
            }
            assertThat(database.value(CATALOGUE)).isEqualTo(before).contains("snapshot text");
        }
    }

    @Test
    void aUnitWithoutTheEntitiesIsToldHowToGetThem() {
        try (TestDatabase database = TestDatabase.migrated("tool");
                EntityManagerFactory factory = unit(database, "none", false);
                var entityManager = factory.createEntityManager()) {
            assertThatThrownBy(() -> Holdfast.over(factory))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("META-INF/holdfast-orm.xml");
            assertThatThrownBy(() -> Holdfast.joining(entityManager))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("META-INF/holdfast-orm.xml");
        }
    }

    @Test
    void aSchemaInCapitalsWithoutQuotesIsTheOneThatTheServerReads() {
        PersistenceConfiguration unit = new PersistenceConfiguration("host");
        Tables.ENTITIES.forEach(unit::managedClass);
        try (TestDatabase database = TestDatabase.migrated("tool");
                EntityManagerFactory factory = unit.property(
                                "jakarta.persistence.nonJtaDataSource", database.dataSource())
                        .property("hibernate.default_schema", "HOLDFAST")
                        .createEntityManagerFactory();
                Holdfast holdfast = Holdfast.over(factory)) {
            assertThat(holdfast.in(Scope.UNSCOPED).workflows().find("wf-1")).isEmpty();
        }
    }

    private static EntityManagerFactory unit(TestDatabase database, String action, boolean mapped) {
        PersistenceConfiguration unit = new PersistenceConfiguration("host")
                .property("jakarta.persistence.nonJtaDataSource", database.dataSource())
                .property("hibernate.hbm2ddl.auto", action);
        return (mapped ? unit.mappingFile("META-INF/holdfast-orm.xml") : unit).createEntityManagerFactory();
    }
}
