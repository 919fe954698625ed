package io.holdfast.repository;

import static io.holdfast.repository.JtaScene.TRANSACTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.persistence.SynchronizationType;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Transaction;
import java.util.concurrent.CompletableFuture;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A joining facade in the caller's JTA transaction, which may be marked, suspended or somebody else's by now. */
class JtaJoiningTest {

    private static JtaScene scene;

    private EntityManager manager;
    private Holdfast joining;

    @BeforeAll
    static void open() {
        scene = JtaScene.over(JtaUnit.Resource.XA, 2);
    }

    @AfterAll
    static void close() {
        scene.close();
    }

    @BeforeEach
    void start() {
        manager = scene.unit.createEntityManager(); // outside of any transaction
        joining = Holdfast.joining(manager);
        scene.database.execute("delete from holdfast.workflow where scope = '" + scene.scope.id() + "'");
    }

    @AfterEach
    void tidy() throws Exception {
        JtaScene.tidy(); // nor closed: that would tell of a rollback on another thread
    }

    private void create(String id) {
        scene.worker(joining, id).created();
    }

    @Test
    void withoutATransactionACallIsRefusedAndNamesTheFactoryToUse() {
        Thrown.by(() -> scene.worker(joining, "wf").created()).is(NoTransactionException.class, false);
        Thrown.by(() -> joining.atomically(bound -> "never run")).is(NoTransactionException.class, false);
        assertThatThrownBy(() -> create("wf")).hasMessageContaining("Holdfast.jta");
    }

    @Test
    void anEntityManagerMadeOutsideTakesPartInTheTransactionOfTheThread() throws Exception {
        TRANSACTIONS.begin();
        create("rolled-back");
        TRANSACTIONS.rollback();
        TRANSACTIONS.begin();
        create("committed");
        assertThat(scene.workflows()).isEmpty();
        TRANSACTIONS.commit();
        assertThat(scene.workflows()).isEqualTo("committed");
        Thrown.by(() -> scene.worker(joining, "after-its-end").created()).is(NoTransactionException.class, false);
        assertThat(scene.workflows()).isEqualTo("committed");
    }

    @Test
    void anUnsynchronizedEntityManagerIsNotJoinedBehindTheApplicationsBack() throws Exception {
        try (EntityManager aloof = scene.unit.createEntityManager(SynchronizationType.UNSYNCHRONIZED)) {
            Holdfast holdfast = Holdfast.joining(aloof);
            TRANSACTIONS.begin();
            Thrown.by(() -> scene.worker(holdfast, "wf").created()).is(NoTransactionException.class, false);
            assertThatThrownBy(() -> scene.worker(holdfast, "wf").created()).hasMessageContaining("joinTransaction()");
            aloof.joinTransaction();
            scene.worker(holdfast, "wf").created();
            TRANSACTIONS.commit();
        }
        assertThat(scene.workflows()).isEqualTo("wf");
    }

    @Test
    void inATransactionThatIsMarkedForRollbackACallIsRefused() throws Exception {
        TRANSACTIONS.begin();
        create("before");
        TRANSACTIONS.setRollbackOnly();
        Thrown.by(() -> scene.worker(joining, "after").created()).is(TransactionLostException.class, true);
        assertThatThrownBy(TRANSACTIONS::commit).isInstanceOf(RollbackException.class);
        assertThat(scene.workflows()).isEmpty();
    }

    /** Whoever catches it cannot commit what is left, and is told so. */
    @Test
    void anOperationThatFailsHasTheCallersTransactionRollBack() throws Exception {
        try (Holdfast other = Holdfast.open(scene.database.dataSource())) {
            Worker worker = scene.worker(other, "locked");
            worker.acquired("a");
            Holdfast impatient =
                    Holdfast.joining(manager, Settings.DEFAULT.withCommandTimeout(java.time.Duration.ofMillis(100)));
            try (RowLock lock = RowLock.onLease(scene.database, worker)) {
                assertThat(lock.connection().isClosed()).isFalse();
                TRANSACTIONS.begin();
                create("before");
                Thrown.by(() -> scene.worker(impatient, "locked").acquired("a")).is(StoreTimeoutException.class, true);
            }
            Thrown.by(() -> scene.worker(joining, "after").created()).is(TransactionLostException.class, true);
            assertThatThrownBy(TRANSACTIONS::commit).isInstanceOf(RollbackException.class);
        }
        assertThat(scene.workflows()).isEmpty();
    }

    @Test
    void aSuspendedTransactionIsNotWrittenInAndGoesOnWhereItIsResumed() throws Exception {
        TRANSACTIONS.begin();
        create("first");
        Transaction suspended = TRANSACTIONS.suspend();
        // The EntityManager still counts as joined; its next connection would commit by itself.
        assertThat(manager.isJoinedToTransaction()).isTrue();
        Thrown.by(() -> scene.worker(joining, "meanwhile").created()).is(NoTransactionException.class, false);
        CompletableFuture.runAsync(() -> {
                    try {
                        TRANSACTIONS.resume(suspended);
                        create("on-another-thread");
                        assertThat(scene.workflows()).isEmpty();
                        TRANSACTIONS.commit();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                })
                .join();
        assertThat(scene.workflows()).isEqualTo("first on-another-thread");
    }

    @Test
    void aTransactionRolledBackOnAnotherThreadTakesWithItWhatWasWrittenOnThis() throws Exception {
        TRANSACTIONS.begin();
        create("first");
        Transaction suspended = TRANSACTIONS.suspend();
        CompletableFuture.runAsync(() -> {
                    try {
                        TRANSACTIONS.resume(suspended);
                        create("second");
                        TRANSACTIONS.rollback();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                })
                .join();
        assertThat(scene.workflows()).isEmpty();
    }

    // H37
    @Test
    void inACallersTransactionOfAHigherIsolationALostRaceIsTypedAndTheEndOfIt() throws Exception {
        try (Holdfast rival = Holdfast.open(scene.database.dataSource())) {
            Workflow read = scene.worker(rival, "raced").created();
            TRANSACTIONS.begin();
            manager.joinTransaction();
            manager.unwrap(Session.class).doWork(connection -> {
                try (var statement = connection.createStatement()) {
                    statement.execute("set transaction isolation level repeatable read");
                }
            });
            Workflow seen = joining.in(scene.scope).workflows().find("raced").orElseThrow();
            rival.in(scene.scope).workflows().update(read, Worker.checkpointed(read));
            Thrown.by(() -> joining.in(scene.scope).workflows().update(seen, Worker.queued(seen)))
                    .is(TransactionLostException.class, true)
                    .with("sqlstate", "40001");
            assertThatThrownBy(TRANSACTIONS::commit).isInstanceOf(RollbackException.class);
            assertThat(rival.in(scene.scope)
                            .workflows()
                            .find("raced")
                            .orElseThrow()
                            .revision())
                    .isEqualTo(2);
        }
    }
}
