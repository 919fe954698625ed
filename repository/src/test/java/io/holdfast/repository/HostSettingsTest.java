package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.Workflows;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation in the persistence unit of an application that has settings, converters and a JSON mapper of its own. They
 * are for its entities: ours are written and read as ever.
 */
class HostSettingsTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static HikariDataSource pool;
    private static EntityManagerFactory unit;
    private static Holdfast committing;

    @BeforeAll
    static void open() {
        TestDatabase database = TestDatabase.get();
        pool = new HikariDataSource();
        pool.setJdbcUrl(database.url() + "&stringtype=unspecified&prepareThreshold=1&reWriteBatchedInserts=true");
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(2);
        unit = new PersistenceConfiguration("host with settings")
                .mappingFile("META-INF/holdfast-orm.xml")
                .managedClass(Marked.class)
                .managedClass(Epoch.class)
                .managedClass(Plain.class)
                .property("jakarta.persistence.nonJtaDataSource", pool)
                .property("jakarta.persistence.validation.mode", "none")
                .property("hibernate.hbm2ddl.auto", "validate")
                .property("hibernate.default_schema", "public")
                .property("hibernate.globally_quoted_identifiers", "true")
                .property("hibernate.jdbc.batch_size", "30")
                .property("hibernate.jdbc.fetch_size", "1")
                .property("hibernate.jdbc.time_zone", "Asia/Kathmandu")
                .property("hibernate.jpa.compliance.query", "true")
                .property("hibernate.type.preferred_array_jdbc_type", "VARBINARY")
                .property("hibernate.type.preferred_boolean_jdbc_type", "CHAR")
                .property("hibernate.type.preferred_instant_jdbc_type", "TIMESTAMP")
                .property("hibernate.type.preferred_uuid_jdbc_type", "CHAR")
                .property("hibernate.use_nationalized_character_data", "true")
                .createEntityManagerFactory();
        committing = Holdfast.over(unit);
    }

    @AfterAll
    static void close() {
        committing.close();
        unit.close();
        pool.close();
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationAnswersAsEver(Operations.Case operation) {
        assertThat(answer(committing, operation)).isInstanceOf(operation.answer());
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationInTheCallersTransactionAnswersAsEver(Operations.Case operation) {
        try (EntityManager entityManager = unit.createEntityManager()) {
            entityManager.getTransaction().begin();
            assertThat(answer(Holdfast.joining(entityManager), operation)).isInstanceOf(operation.answer());
            entityManager.getTransaction().rollback();
        }
    }

    @Test
    void whatIsReadIsWhatWasWritten() {
        Worker worker = worker(committing);
        Map<String, String> labels = Map.of("team", " blue ");
        worker.stores().workflows().create(worker.first(), labels);
        var read = worker.stores().workflows().find(worker.id()).orElseThrow();
        assertThat(read.state()).isEqualTo(worker.first());
        assertThat(read.labels()).isEqualTo(labels);
        try (Holdfast own = Holdfast.open(pool)) {
            assertThat(own.in(worker.stores().scope()).workflows().find(worker.id()))
                    .as("through a unit without settings")
                    .contains(read);
        }
    }

    @Test
    void whatIsReadComesAtOnceThoughTheHostFetchesRowByRow() {
        Scope scope = worker(committing).stores().scope();
        for (String id : List.of("wf-1", "wf-2", "wf-3")) {
            new Worker(committing.in(scope), id).created();
        }
        try (ServerProxy proxy = ServerProxy.to(TestDatabase.get());
                HikariDataSource rowByRow = new HikariDataSource()) {
            rowByRow.setMaximumPoolSize(1); // more that are opened meanwhile would count
            rowByRow.setJdbcUrl(proxy.url() + "&defaultRowFetchSize=1");
            rowByRow.setUsername(TestDatabase.get().user());
            rowByRow.setPassword(TestDatabase.get().password());
            try (EntityManagerFactory factory = new PersistenceConfiguration("row by row")
                            .mappingFile("META-INF/holdfast-orm.xml")
                            .property("jakarta.persistence.nonJtaDataSource", rowByRow)
                            .property("hibernate.jdbc.fetch_size", "1")
                            .createEntityManagerFactory();
                    EntityManager entityManager = factory.createEntityManager()) {
                entityManager.getTransaction().begin(); // without one the driver fetches all
                Workflows workflows = Holdfast.joining(entityManager).in(scope).workflows();
                assertThat(workflows.find("wf-1")).isPresent();
                proxy.reset();
                assertThat(workflows.list("", 10)).hasSize(3);
                assertThat(proxy.roundTrips())
                        .as("list, by a query of Hibernate's")
                        .isEqualTo(1);
                proxy.reset();
                assertThat(workflows
                                .search(WorkflowFilter.ALL, Optional.empty(), 10)
                                .lines())
                        .hasSize(3);
                assertThat(proxy.roundTrips()).as("search, by a statement").isEqualTo(1);
                entityManager.getTransaction().rollback();
            }
        }
    }

    private static Object answer(Holdfast holdfast, Operations.Case operation) {
        return operation.prepare().apply(worker(holdfast)).get();
    }

    private static Worker worker(Holdfast holdfast) {
        return new Worker(holdfast.in(Scope.of("{\"settings\\\", " + NUMBER.incrementAndGet() + "}")), "wf-1");
    }

    /** Of every text, as one that encrypts would be. */
    @Converter(autoApply = true)
    public static class Marked implements AttributeConverter<String, String> {

        @Override
        public String convertToDatabaseColumn(String text) {
            return text == null ? null : "marked " + text;
        }

        @Override
        public String convertToEntityAttribute(String text) {
            return text == null ? null : text.substring("marked ".length());
        }
    }

    /** Of every time. */
    @Converter(autoApply = true)
    public static class Epoch implements AttributeConverter<Instant, Long> {

        @Override
        public Long convertToDatabaseColumn(Instant time) {
            return time == null ? null : time.toEpochMilli();
        }

        @Override
        public Instant convertToEntityAttribute(Long time) {
            return time == null ? null : Instant.ofEpochMilli(time);
        }
    }

    /** Of every UUID. */
    @Converter(autoApply = true)
    public static class Plain implements AttributeConverter<UUID, String> {

        @Override
        public String convertToDatabaseColumn(UUID id) {
            return id == null ? null : id.toString();
        }

        @Override
        public UUID convertToEntityAttribute(String id) {
            return id == null ? null : UUID.fromString(id);
        }
    }
}
