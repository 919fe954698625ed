package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.entity.IdempotencyEntity;
import io.holdfast.entity.LeaseEntity;
import io.holdfast.entity.LeaseFloorEntity;
import io.holdfast.entity.WorkflowEntity;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.PersistenceConfiguration;
import org.junit.jupiter.api.Test;

class JtaUnitTest {

    @Test
    void aFacadeThatBeginsItsOwnTransactionsRefusesAUnitWhoseTransactionsAreJtas() {
        try (TestDatabase database = TestDatabase.migrated("jta");
                var factory = new PersistenceConfiguration("jta")
                        .managedClass(WorkflowEntity.class)
                        .managedClass(IdempotencyEntity.class)
                        .managedClass(LeaseEntity.class)
                        .managedClass(LeaseFloorEntity.class)
                        .property("jakarta.persistence.jtaDataSource", database.dataSource())
                        .property("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
                        .property("hibernate.default_schema", TestDatabase.SCHEMA)
                        .property("hibernate.transaction.coordinator_class", "jta")
                        .createEntityManagerFactory()) {
            assertThatThrownBy(() -> Holdfast.over(factory))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("factory")
                    .hasMessageContaining("Holdfast.joining");
        }
    }
}
