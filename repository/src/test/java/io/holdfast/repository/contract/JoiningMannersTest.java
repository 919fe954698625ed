package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Step;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManager;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a joining facade behaves in somebody else's unit of work, beyond what {@link JoiningEnvironment} looks at each time. */
class JoiningMannersTest {

    private final EntityManager entityManager = HostUnit.get().createEntityManager();
    private final Holdfast holdfast = Holdfast.joining(entityManager);
    private final Scope scope = Scope.of("manners-" + UUID.randomUUID());
    private final Stores stores = holdfast.in(scope);

    @AfterEach
    void close() {
        if (entityManager.getTransaction().isActive()) {
            entityManager.getTransaction().rollback();
        }
        entityManager.close();
    }

    private String rows() {
        return TestDatabase.get().value("select count(*) from holdfast.workflow where scope = '" + scope.id() + "'");
    }

    /** As Spring's does for open-in-view. */
    @Test
    void aProxyThatSaysItIsNotJoinedIsLookedThrough() {
        EntityManager proxy = (EntityManager) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {EntityManager.class},
                (self, method, arguments) -> method.getName().equals("isJoinedToTransaction")
                        ? false
                        : method.invoke(entityManager, arguments));
        Stores proxied = Holdfast.joining(proxy).in(scope);
        assertThatThrownBy(() -> proxied.workflows().find("wf-1")).isInstanceOf(NoTransactionException.class);
        entityManager.getTransaction().begin();
        proxied.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of());
        entityManager.getTransaction().rollback();
        assertThat(rows()).isEqualTo("0");
    }

    @Test
    void withoutATransactionEveryCallIsRefusedAndNamed() {
        WorkflowState state = WorkflowState.create("wf-1", "req-1");
        LeaseKey key = LeaseKey.ofWorkflow("wf-1");
        Fence fence = new Fence("worker", 1);
        Stream.<ThrowingCallable>of(
                        () -> stores.workflows().create(state, Map.of()),
                        () -> stores.workflows().find("wf-1"),
                        () -> stores.workflows().requestCancel("wf-1", ""),
                        () -> stores.workflows().list("", 1),
                        () -> stores.leases().acquire(key, "worker", Duration.ofSeconds(60)),
                        () -> stores.leases().renew(key, fence),
                        () -> stores.leases().renewAll(Map.of(key, fence)),
                        () -> stores.leases().release(key, fence),
                        () -> stores.leases().find(key),
                        () -> stores.idempotencyKeys().reserve("k", "req-1", KeepFor.DEFAULT),
                        () -> stores.idempotencyKeys()
                                .complete(new KeyClaim("k", "wf-1", 1), Contract.fingerprint('a')),
                        () -> stores.idempotencyKeys().find("k"),
                        () -> stores.steps().begin(new Step("wf-1", "k", "req-1"), fence),
                        () -> stores.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 1)),
                        () -> holdfast.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 1)),
                        () -> stores.cleanup().plan(RetentionPolicy.DEFAULT),
                        () -> holdfast.cleanup().plan(RetentionPolicy.DEFAULT),
                        () -> holdfast.atomically(bound -> "never run"))
                .forEach(call -> assertThatThrownBy(call)
                        .isInstanceOfSatisfying(
                                NoTransactionException.class,
                                e -> assertThat(e.details()).containsKey("operation"))
                        .hasMessageEndingWith("none is active: begin one, or use a facade that begins its own"
                                + " (Holdfast.open, Holdfast.over)"));
    }

    @Test
    void theCallersRollbackTakesOurWritesWithIt() {
        entityManager.getTransaction().begin();
        stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of());
        entityManager.getTransaction().rollback();
        assertThat(rows()).isEqualTo("0");
        entityManager.getTransaction().begin();
        stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of());
        assertThat(rows()).as("nobody else sees it before the caller commits").isEqualTo("0");
        entityManager.getTransaction().commit();
        assertThat(rows()).isEqualTo("1");
    }

    @Test
    void theCallersQueriesSeeOurWritesInTheSameTransaction() {
        entityManager.getTransaction().begin();
        stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of());
        assertThat(entityManager
                        .createQuery("select w.status from HoldfastWorkflow w where w.key.scope = :scope", String.class)
                        .setParameter("scope", scope.id())
                        .getResultList())
                .containsExactly("created");
    }

    @Test
    void aNewEntityOfTheCallersStaysUnwrittenUntilTheCallerWritesIt() {
        entityManager.getTransaction().begin();
        long id = System.nanoTime();
        entityManager.persist(new Note(id, scope.id(), "wf-1", "new"));
        stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of());
        stores.workflows().find("wf-1");
        stores.workflows().list("", 1);
        String query = "select 1 from host.note where id = " + id;
        boolean written = entityManager.unwrap(Session.class).doReturningWork(connection -> {
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery(query)) {
                return rows.next();
            }
        });
        assertThat(written).isFalse();
        entityManager.getTransaction().commit();
        assertThat(TestDatabase.get().value(query)).isEqualTo("1");
        assertThat(rows()).isEqualTo("1");
    }

    @Test
    void closingTheFacadeClosesNeitherTheEntityManagerNorItsUnit() {
        holdfast.close();
        assertThat(entityManager.isOpen()).isTrue();
        assertThat(HostUnit.get().isOpen()).isTrue();
        entityManager.getTransaction().begin();
        assertThat(entityManager.createNativeQuery("select 1", Integer.class).getSingleResult())
                .isEqualTo(1);
    }
}
