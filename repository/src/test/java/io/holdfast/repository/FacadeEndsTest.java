package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.lease.Leases;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.engine.jdbc.connections.spi.AbstractDataSourceBasedMultiTenantConnectionProviderImpl;
import org.junit.jupiter.api.Test;

/** How a transaction ends whose code has caught a failure, what is left of a closed facade, and whose transaction is joined. */
class FacadeEndsTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final TestDatabase database = TestDatabase.get();
    private final Scope scope = Scope.of("facade-ends-" + NUMBER.incrementAndGet());

    private Worker worker(Holdfast holdfast, String id) {
        return new Worker(holdfast.in(scope), id);
    }

    @Test // Hibernate's commit would roll back and say nothing
    void codeThatCatchesAFailedOperationHearsThatNothingWasWritten() throws Exception {
        Settings impatient = Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(100));
        try (Holdfast holdfast = Holdfast.open(database.dataSource(), impatient)) {
            Worker locked = worker(holdfast, "wf-locked");
            locked.acquired("a");
            try (RowLock lock = RowLock.onLease(database, locked)) {
                assertThat(lock.connection().isClosed()).isFalse();
                Thrown.by(() -> holdfast.atomically(bound -> {
                            worker(bound, "wf-1").created();
                            Thrown.by(() -> worker(bound, "wf-locked").acquired("a"));
                            return "done";
                        }))
                        .is(StoreTimeoutException.class, true)
                        .with("operation", "lease.acquire");
            }
            assertThat(holdfast.in(scope).workflows().find("wf-1")).isEmpty();
        }
    }

    @Test // an entity's update fails past what Hibernate marks
    void codeThatCatchesAFailedUpdateHearsThatNothingWasWritten() throws Exception {
        Settings impatient = Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(100));
        try (Holdfast holdfast = Holdfast.open(database.dataSource(), impatient)) {
            Worker locked = worker(holdfast, "wf-locked");
            Workflow read = locked.created();
            try (RowLock lock = RowLock.onWorkflow(database, locked)) {
                assertThat(lock.connection().isClosed()).isFalse();
                Thrown.by(() -> holdfast.atomically(bound -> {
                            worker(bound, "wf-1").created();
                            Thrown.by(() -> bound.in(scope).workflows().update(read, Worker.queued(read)));
                            return "done";
                        }))
                        .is(StoreTimeoutException.class, true)
                        .with("operation", "workflow.update");
            }
            assertThat(holdfast.in(scope).workflows().find("wf-1")).isEmpty();
        }
    }

    @Test
    void anExceptionOfAnInnerTransactionEndsTheOuterOneWhoeverCatchesIt() {
        try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Thrown.by(() -> holdfast.atomically(outer -> {
                        try {
                            return outer.atomically(inner -> {
                                worker(inner, "wf-1").created();
                                throw new IllegalStateException("the application's own");
                            });
                        } catch (IllegalStateException e) {
                            return "done";
                        }
                    }))
                    .is(TransactionLostException.class, true);
            assertThat(holdfast.in(scope).workflows().find("wf-1")).isEmpty();
        }
    }

    @Test
    void theFacadeOfATransactionIsRefusedOnAnotherThreadAndTheTransactionGoesOn() {
        try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
            holdfast.atomically(bound -> {
                CompletableFuture<Thrown> refused = CompletableFuture.supplyAsync(
                        () -> Thrown.by(() -> worker(bound, "wf-2").created()));
                refused.join().is(NoTransactionException.class, false).with("operation", "workflow.create");
                CompletableFuture.supplyAsync(() -> Thrown.by(() -> bound.atomically(inner -> inner)))
                        .join()
                        .is(NoTransactionException.class, false);
                return worker(bound, "wf-1").created();
            });
            assertThat(holdfast.in(scope).workflows().find("wf-1")).isPresent();
            assertThat(holdfast.in(scope).workflows().find("wf-2")).isEmpty();
        }
    }

    @Test
    void storesThatWereHadBeforeTheFacadeWasClosedAreRefused() {
        try (EntityManagerFactory unit = unit("closed")
                .property("jakarta.persistence.nonJtaDataSource", database.dataSource())
                .createEntityManagerFactory()) {
            Holdfast closed = Holdfast.over(unit);
            Worker worker = worker(closed, "wf-1");
            Leases leases = worker.stores().leases();
            closed.close();
            Thrown.by(() -> leases.acquire(worker.lease(), "a", Worker.TTL))
                    .is(StoreUnavailableException.class, false)
                    .with("cause", "closed");
            assertThat(unit.isOpen()).as("the host's unit").isTrue();
        }
    }

    @Test
    void inAUnitOfManyTenantsTheTenantsOwnSessionIsJoined() {
        try (EntityManagerFactory unit = unit("tenants")
                        .property("hibernate.multi_tenant_connection_provider", new OneDatabase(database.dataSource()))
                        .createEntityManagerFactory();
                Session session = unit.unwrap(SessionFactory.class)
                        .withOptions()
                        .tenantIdentifier((Object) "blue")
                        .openSession()) {
            session.beginTransaction();
            worker(Holdfast.joining(session), "wf-1").created();
            session.getTransaction().commit();
        }
        try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
            assertThat(holdfast.in(scope).workflows().find("wf-1")).isPresent();
        }
    }

    private static PersistenceConfiguration unit(String name) {
        return new PersistenceConfiguration("facade ends, " + name)
                .mappingFile("META-INF/holdfast-orm.xml")
                .property("jakarta.persistence.validation.mode", "none");
    }

    private static final class OneDatabase extends AbstractDataSourceBasedMultiTenantConnectionProviderImpl<String> {

        private static final long serialVersionUID = 1L;

        private final transient DataSource dataSource;

        OneDatabase(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Override
        protected DataSource selectAnyDataSource() {
            return dataSource;
        }

        @Override
        protected DataSource selectDataSource(String tenant) {
            return dataSource;
        }
    }
}
