package io.holdfast.repository.contract;

import io.holdfast.repository.JtaUnit;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.SharedCacheMode;

/**
 * An application's persistence unit with an entity of its own and ours, Hibernate on {@code validate}, everything in the
 * second-level cache that may be there, and statistics on.
 */
final class HostUnit {

    private static final String OURS = "META-INF/holdfast-orm.xml";
    private static final String THEIRS = "META-INF/elsewhere-orm.xml";

    private HostUnit() {}

    static EntityManagerFactory get() {
        return OfThisJvm.FACTORY;
    }

    static EntityManagerFactory mappedElsewhere() {
        return ElsewhereOfThisJvm.FACTORY;
    }

    /** The same with the container's transactions, over a pool that knows of them. */
    static EntityManagerFactory jta() {
        return JtaOfThisJvm.FACTORY;
    }

    private static EntityManagerFactory open(String name, String mappingFile) {
        return unit(name, mappingFile)
                .property("jakarta.persistence.nonJtaDataSource", OwnEnvironment.pool(TestDatabase.get(), true))
                .createEntityManagerFactory();
    }

    private static PersistenceConfiguration unit(String name, String mappingFile) {
        TestDatabase database = TestDatabase.get();
        database.execute(
                "create schema if not exists host",
                "create table if not exists host.note (id bigint primary key, scope text not null, workflow_id text not null,"
                        + " text text not null)");
        return new PersistenceConfiguration(name)
                .managedClass(Note.class)
                .mappingFile(mappingFile)
                .sharedCacheMode(SharedCacheMode.ALL)
                .property("hibernate.cache.region.factory_class", MapCache.class.getName())
                .property("hibernate.cache.use_second_level_cache", "true")
                .property("hibernate.cache.use_query_cache", "true")
                .property("hibernate.generate_statistics", "true")
                .property("hibernate.hbm2ddl.auto", "validate")
                .property("jakarta.persistence.validation.mode", "none");
    }

    private static final class OfThisJvm {
        static final EntityManagerFactory FACTORY = open("host", OURS);
    }

    private static final class ElsewhereOfThisJvm {
        static final EntityManagerFactory FACTORY = open("host elsewhere", THEIRS);
    }

    private static final class JtaOfThisJvm {
        static final EntityManagerFactory FACTORY = JtaUnit.jta(
                        unit("host of JTA", OURS),
                        JtaUnit.pool(JtaUnit.Resource.LOCAL, TestDatabase.get().url(), 2))
                .createEntityManagerFactory();
    }
}
