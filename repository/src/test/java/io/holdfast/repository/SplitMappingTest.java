package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import org.junit.jupiter.api.Test;

/** The steps of a worker are functions beside the tables of one schema, whatever a mapping says. */
class SplitMappingTest {

    @Test
    void aUnitThatKeepsTheTablesOfAStepApartIsRefused() {
        try (TestDatabase database = TestDatabase.migrated("split mapping");
                EntityManagerFactory unit = new PersistenceConfiguration("split mapping")
                        .mappingFile("META-INF/split-orm.xml")
                        .property("jakarta.persistence.nonJtaDataSource", database.dataSource())
                        .property("hibernate.hbm2ddl.auto", "none")
                        .createEntityManagerFactory()) {
            assertThatThrownBy(() -> Holdfast.over(unit))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("into one schema");
        }
    }
}
