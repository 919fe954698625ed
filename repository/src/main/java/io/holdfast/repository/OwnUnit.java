package io.holdfast.repository;

import io.holdfast.migrations.SchemaName;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import javax.sql.DataSource;

/**
 * A persistence unit of Holdfast's own, over a data source: the entities, and Hibernate on {@code validate}.
 *
 * <p>Hibernate is told which database it is and does not look by itself: it would log the URL of the connection it looked
 * at, and a host's URL may carry a password. Nor does it log errors, with the driver's text that may carry a payload: each
 * comes out as an exception.
 */
final class OwnUnit {

    private OwnUnit() {}

    static EntityManagerFactory over(DataSource dataSource, SchemaName schema) {
        PersistenceConfiguration unit = new PersistenceConfiguration("holdfast");
        Tables.ENTITIES.forEach(unit::managedClass);
        return unit.property("jakarta.persistence.nonJtaDataSource", dataSource)
                .property("hibernate.boot.allow_jdbc_metadata_access", "false")
                .property("jakarta.persistence.database-product-name", "PostgreSQL")
                // The oldest that Hibernate supports; nothing that differs by version is asked of it.
                .property("jakarta.persistence.database-major-version", "14")
                .property("jakarta.persistence.database-minor-version", "0")
                .property("hibernate.jdbc.log.errors", "false")
                // Or Hibernate takes the cache it finds, which may be the host's, and closes it with this unit.
                .property("hibernate.cache.use_second_level_cache", "false")
                .property("hibernate.cache.use_query_cache", "false")
                .property("hibernate.default_schema", schema.quoted())
                .property("hibernate.hbm2ddl.auto", "validate")
                .property("jakarta.persistence.validation.mode", "none")
                // A cache on the class path is the host's: Hibernate would share its manager, and close that with this
                // unit.
                .property("hibernate.cache.use_second_level_cache", "false")
                .createEntityManagerFactory();
    }
}
