package io.holdfast.repository;

import static io.holdfast.repository.JtaScene.TRANSACTIONS;
import static io.holdfast.repository.Worker.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transaction;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The transaction manager ends a transaction at its timeout, from a thread of its own: before an operation, during one, and
 * at the commit. Whoever is on with it hears so, and nothing of it is there.
 */
class JtaTimeoutTest {

    @AfterEach
    void tidy() throws Exception {
        JtaScene.tidy();
    }

    @ParameterizedTest
    @EnumSource
    void anOperationAfterTheTimeoutOfItsTransactionIsRefusedAndWritesNothing(JtaUnit.Resource resource)
            throws Exception {
        try (JtaScene scene = JtaScene.over(resource, 1);
                Holdfast holdfast = scene.jta()) {
            TRANSACTIONS.setTransactionTimeout(1);
            Thrown.by(() -> holdfast.atomically(bound -> {
                        scene.worker(bound, "before").created();
                        JtaScene.awaitTimeout();
                        Thrown.by(() -> scene.worker(bound, "after").created())
                                .is(TransactionLostException.class, true);
                        var broken = new IllegalStateException("the application's own");
                        assertThatThrownBy(() -> bound.atomically(inner -> {
                                    throw broken;
                                }))
                                .isSameAs(broken);
                        return "done";
                    }))
                    .is(TransactionLostException.class, true);
            assertThat(scene.workflows()).isEmpty();
            TRANSACTIONS.setTransactionTimeout(0);
            scene.worker(holdfast, "next").created();
            assertThat(scene.workflows()).isEqualTo("next");
        }
    }

    /** This pool cancels the statement, and more or less at once. */
    @Test
    void anOperationDuringWhichItsTransactionTimesOutHasWrittenNothingAndSaysSo() throws Exception {
        try (JtaScene scene = JtaScene.over(JtaUnit.Resource.LOCAL, 1);
                Holdfast holdfast = scene.jta()) {
            Worker worker = scene.worker(holdfast, "late");
            Workflow read = worker.created();
            try (RowLock lock = RowLock.onWorkflow(scene.database, worker)) {
                Transaction[] ours = new Transaction[1];
                var waiting = Background.run(() -> {
                    TRANSACTIONS.setTransactionTimeout(1);
                    return holdfast.atomically(bound -> {
                        ours[0] = current();
                        return scene.worker(bound, "late").stores().workflows().update(read, queued(read));
                    });
                });
                Background.awaitBlocked(lock.connection());
                awaitTimeout(ours[0]);
                lock.connection().rollback();
                timedOut(Thrown.by(waiting::get));
            }
            assertThat(worker.stores().workflows().find("late")).contains(read);
        }
    }

    private static void timedOut(Thrown thrown) {
        assertThat(thrown.exception()).isInstanceOfAny(StoreTimeoutException.class, TransactionLostException.class);
        assertThat(thrown.exception().retryable()).isTrue();
    }

    private static Transaction current() {
        try {
            return TRANSACTIONS.getTransaction();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitTimeout(Transaction transaction) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> transaction.getStatus() != Status.STATUS_ACTIVE);
    }

    @Test
    void aTransactionThatTimesOutAtItsCommitHasWrittenNothingAndSaysSo() throws Exception {
        try (JtaScene scene = JtaScene.over(JtaUnit.Resource.LOCAL, 1);
                Holdfast holdfast = scene.jta()) {
            TRANSACTIONS.setTransactionTimeout(1);
            Thrown.by(() -> holdfast.atomically(bound -> {
                        scene.worker(bound, "committing").created();
                        onCommit(JtaScene::awaitTimeout);
                        return "done";
                    }))
                    .is(StoreUnavailableException.class, true);
            assertThat(scene.workflows()).isEmpty();
            TRANSACTIONS.setTransactionTimeout(0);
            scene.worker(holdfast, "next").created();
        }
    }

    private static void onCommit(Runnable code) {
        try {
            TRANSACTIONS.getTransaction().registerSynchronization(new Synchronization() {
                @Override
                public void beforeCompletion() {
                    code.run();
                }

                @Override
                public void afterCompletion(int status) {}
            });
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void inACallersTransactionThatTimedOutEveryCallIsRefusedAndNothingCommitsByItself(JtaUnit.Resource resource)
            throws Exception {
        try (JtaScene scene = JtaScene.over(resource, 1)) {
            EntityManager manager = scene.unit.createEntityManager(); // whose close would tell of the rollback
            Holdfast joining = Holdfast.joining(manager);
            TRANSACTIONS.setTransactionTimeout(1);
            TRANSACTIONS.begin();
            scene.worker(joining, "before").created();
            JtaScene.awaitTimeout();
            Thrown.by(() -> scene.worker(joining, "after").created()).is(TransactionLostException.class, true);
            Thrown.by(() -> joining.atomically(bound -> "never run")).is(TransactionLostException.class, true);
            TRANSACTIONS.rollback();
            assertThat(scene.workflows()).isEmpty();
        }
    }

    @Test
    void aCallDuringWhichTheCallersTransactionTimesOutSaysSo() throws Exception {
        try (JtaScene scene = JtaScene.over(JtaUnit.Resource.XA, 1);
                Holdfast rival = Holdfast.open(scene.database.dataSource())) {
            EntityManager manager = scene.unit.createEntityManager();
            Worker worker = scene.worker(rival, "late");
            Workflow read = worker.created();
            try (RowLock lock = RowLock.onWorkflow(scene.database, worker)) {
                Transaction[] callers = new Transaction[1];
                var waiting = Background.run(() -> {
                    TRANSACTIONS.setTransactionTimeout(1);
                    TRANSACTIONS.begin();
                    callers[0] = current();
                    try {
                        return Holdfast.joining(manager)
                                .in(scene.scope)
                                .workflows()
                                .update(read, queued(read));
                    } finally {
                        TRANSACTIONS.rollback();
                    }
                });
                Background.awaitBlocked(lock.connection());
                awaitTimeout(callers[0]);
                lock.connection().rollback();
                timedOut(Thrown.by(waiting::get));
            }
            assertThat(worker.stores().workflows().find("late")).contains(read);
        }
    }

    /** A pool that does not cancel lets the statement end; by then its transaction is given up. */
    @Test
    void anOperationDuringWhichItsTransactionIsGivenUpDoesNotAnswer() throws Exception {
        try (JtaScene scene = JtaScene.over(JtaUnit.Resource.LOCAL, 1);
                Holdfast holdfast = scene.jta()) {
            Workflow read = scene.worker(holdfast, "late").created();
            Holdfast joining = Holdfast.joining(scene.unit.createEntityManager());
            for (boolean ours : new boolean[] {true, false}) {
                Transaction[] given = new Transaction[1];
                try (RowLock lock = RowLock.onWorkflow(scene.database, scene.worker(holdfast, "late"))) {
                    var waiting = Background.run(() -> {
                        if (ours) {
                            return holdfast.atomically(bound -> {
                                given[0] = current();
                                return bound.in(scene.scope).workflows().update(read, queued(read));
                            });
                        }
                        TRANSACTIONS.begin();
                        given[0] = current();
                        try {
                            return joining.in(scene.scope).workflows().update(read, queued(read));
                        } finally {
                            TRANSACTIONS.rollback();
                        }
                    });
                    Background.awaitBlocked(lock.connection());
                    given[0].setRollbackOnly();
                    lock.connection().rollback();
                    Thrown.by(waiting::get).is(TransactionLostException.class, true);
                }
                assertThat(holdfast.in(scene.scope).workflows().find("late")).contains(read);
            }
        }
    }
}
