package io.holdfast.repository;

import io.holdfast.entity.IdempotencyEntity;
import io.holdfast.entity.LeaseEntity;
import io.holdfast.entity.LeaseFloorEntity;
import io.holdfast.entity.WorkflowEntity;
import io.holdfast.migrations.SchemaName;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import javax.sql.DataSource;

/** A persistence unit of Holdfast's own, over a data source: the entities, and Hibernate on {@code validate}. */
final class OwnUnit {

    private OwnUnit() {}

    static EntityManagerFactory over(DataSource dataSource, SchemaName schema) {
        return new PersistenceConfiguration("holdfast")
                .managedClass(WorkflowEntity.class)
                .managedClass(IdempotencyEntity.class)
                .managedClass(LeaseEntity.class)
                .managedClass(LeaseFloorEntity.class)
                .property("jakarta.persistence.nonJtaDataSource", dataSource)
                .property("hibernate.default_schema", schema.quoted())
                .property("hibernate.hbm2ddl.auto", "validate")
                .property("jakarta.persistence.validation.mode", "none")
                .createEntityManagerFactory();
    }
}
