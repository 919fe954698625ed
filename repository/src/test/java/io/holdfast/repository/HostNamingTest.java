package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.entity.WorkflowEntity;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.Table;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategy;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation in the persistence unit of an application that has a physical naming strategy of its own, and tables of its
 * own that are called as ours are. Our tables are as our migrations made them, whatever the strategy.
 */
@ParameterizedClass
@EnumSource
class HostNamingTest {

    enum Naming implements PhysicalNamingStrategy {
        UPPER_CASE(name -> new Identifier(name.getText().toUpperCase(Locale.ROOT), name.isQuoted()), true),
        QUOTED_UPPER_CASE(name -> new Identifier(name.getText().toUpperCase(Locale.ROOT), true), false),
        PREFIX(name -> new Identifier("host_" + name.getText(), name.isQuoted()), false);

        private final UnaryOperator<Identifier> rename;
        private final boolean validated;

        /** @param validated whether Hibernate's schema tool looks for the tables in the schema that the mapping names */
        Naming(UnaryOperator<Identifier> rename, boolean validated) {
            this.rename = rename;
            this.validated = validated;
        }

        @Override
        public Identifier toPhysicalCatalogName(Identifier name, JdbcEnvironment environment) {
            return name;
        }

        @Override
        public Identifier toPhysicalSchemaName(Identifier name, JdbcEnvironment environment) {
            return name == null ? null : rename.apply(name);
        }

        @Override
        public Identifier toPhysicalTableName(Identifier name, JdbcEnvironment environment) {
            return rename.apply(name);
        }

        @Override
        public Identifier toPhysicalSequenceName(Identifier name, JdbcEnvironment environment) {
            return rename.apply(name);
        }

        @Override
        public Identifier toPhysicalColumnName(Identifier name, JdbcEnvironment environment) {
            return rename.apply(name);
        }

        private String physical(String name) {
            return rename.apply(new Identifier(name, false)).toString().replace('`', '"');
        }
    }

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Map<Naming, EntityManagerFactory> UNITS = new EnumMap<>(Naming.class);

    private static TestDatabase database;
    private static HikariDataSource pool;

    @Parameter
    private Naming naming;

    @BeforeAll
    static void open() {
        database = TestDatabase.migrated("naming");
        pool = new HikariDataSource();
        pool.setDataSource(database.dataSource());
        pool.setMaximumPoolSize(2);
        Stream.of(Naming.values()).forEach(naming -> UNITS.put(naming, unit(naming)));
    }

    @AfterAll
    static void close() {
        UNITS.values().forEach(EntityManagerFactory::close);
        pool.close();
        database.close();
    }

    private static EntityManagerFactory unit(Naming naming) {
        database.execute("create table %s (%s bigint primary key, %s text, %s text, %s uuid)"
                .formatted(Stream.of("lease", "id", "w_scope", "w_id", "w_incarnation")
                        .map(naming::physical)
                        .toArray()));
        return new PersistenceConfiguration("host with " + naming)
                .managedClass(Flat.class)
                .mappingFile("META-INF/holdfast-orm.xml")
                .property("jakarta.persistence.nonJtaDataSource", pool)
                .property("jakarta.persistence.validation.mode", "none")
                .property("hibernate.physical_naming_strategy", naming)
                .property("hibernate.hbm2ddl.auto", naming.validated ? "validate" : "none")
                .createEntityManagerFactory();
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationAnswersAsEver(Operations.Case operation) {
        try (Holdfast holdfast = Holdfast.over(UNITS.get(naming))) {
            assertThat(answer(holdfast, operation)).isInstanceOf(operation.answer());
        }
    }

    @Test
    void anApplicationsTablesAreCalledAsItSaysAndReferToOurs() {
        Worker worker;
        try (Holdfast holdfast = Holdfast.over(UNITS.get(naming))) {
            worker = worker(holdfast);
            worker.created();
        }
        long id = NUMBER.incrementAndGet();
        UNITS.get(naming).runInTransaction(em -> em.persist(new Flat(id, workflow(em, worker))));
        assertThat(UNITS.get(naming)
                        .<List<String>>callInTransaction(em -> em.createQuery(
                                        "select f.workflow.key.id || ' ' || f.workflow.status from Flat f where f.id = :id",
                                        String.class)
                                .setParameter("id", id)
                                .getResultList()))
                .containsExactly(worker.id() + " created");
        assertThat(database.value("select %s from %s where %s = %d"
                        .formatted(naming.physical("w_id"), naming.physical("lease"), naming.physical("id"), id)))
                .isEqualTo(worker.id());
    }

    private static WorkflowEntity workflow(EntityManager entityManager, Worker worker) {
        return entityManager
                .createQuery("select w from HoldfastWorkflow w where w.key.scope = :scope", WorkflowEntity.class)
                .setParameter("scope", worker.stores().scope().id())
                .getSingleResult();
    }

    private static Object answer(Holdfast holdfast, Operations.Case operation) {
        return operation.prepare().apply(worker(holdfast)).get();
    }

    private static Worker worker(Holdfast holdfast) {
        return new Worker(holdfast.in(Scope.of("naming-" + NUMBER.incrementAndGet())), "wf-1");
    }

    /** What a landlord calls a lease. */
    @Entity(name = "Flat")
    @Table(name = "lease")
    @SuppressWarnings("UnusedVariable") // read by the query
    static class Flat {

        @Id
        private long id;

        @ManyToOne
        @JoinColumn(name = "w_scope", referencedColumnName = "scope")
        @JoinColumn(name = "w_id", referencedColumnName = "id")
        @JoinColumn(name = "w_incarnation", referencedColumnName = "incarnation")
        private WorkflowEntity workflow;

        protected Flat() {}

        Flat(long id, WorkflowEntity workflow) {
            this.id = id;
            this.workflow = workflow;
        }
    }
}
