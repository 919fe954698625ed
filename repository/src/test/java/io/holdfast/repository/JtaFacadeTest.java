package io.holdfast.repository;

import static io.holdfast.repository.JtaScene.TRANSACTIONS;
import static io.holdfast.repository.Worker.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A facade whose calls are JTA transactions of their own, beside the caller's. */
class JtaFacadeTest {

    private static JtaScene scene;
    private static Holdfast holdfast;

    @BeforeAll
    static void open() {
        scene = JtaScene.over(JtaUnit.Resource.LOCAL, 1);
        holdfast = scene.jta();
    }

    @AfterAll
    static void close() {
        scene.close();
    }

    @AfterEach
    void tidy() throws Exception {
        JtaScene.tidy();
    }

    private static void resumed(Transaction callers) throws Exception {
        assertThat(TRANSACTIONS.getTransaction()).isSameAs(callers);
        assertThat(callers.getStatus()).isEqualTo(Status.STATUS_ACTIVE);
    }

    private static Transaction begun() throws Exception {
        TRANSACTIONS.begin();
        return TRANSACTIONS.getTransaction();
    }

    @Test
    void aCallIsCommittedByItselfWhateverBecomesOfTheCallersTransaction() throws Exception {
        try (JtaScene two = JtaScene.over(JtaUnit.Resource.LOCAL, 2);
                Holdfast own = two.jta();
                EntityManager manager = two.unit.createEntityManager()) {
            Transaction callers = begun();
            two.worker(Holdfast.joining(manager), "callers").created();
            two.worker(own, "ours").created();
            own.atomically(bound -> two.worker(bound, "whole").created());
            resumed(callers);
            assertThat(two.workflows()).isEqualTo("ours whole");
            two.worker(Holdfast.joining(manager), "callers-again").created();
            TRANSACTIONS.commit();
            assertThat(two.workflows()).isEqualTo("callers callers-again ours whole");
        }
    }

    @Test
    void theCallersTransactionIsResumedWhenACallIsRefused() throws Exception {
        Transaction callers = begun();
        assertThatThrownBy(() -> holdfast.in(scene.scope).workflows().list("", 0))
                .isInstanceOf(InvalidValueException.class);
        resumed(callers);
    }

    @Test
    void theCallersTransactionIsResumedWhenTheCodeThrowsWhateverItIs() throws Exception {
        Transaction callers = begun();
        for (Throwable thrown : new Throwable[] {new IllegalStateException(), new StackOverflowError()}) {
            assertThatThrownBy(() -> holdfast.atomically(bound -> {
                        scene.worker(bound, "thrown").created();
                        return JtaFacadeTest.<RuntimeException, String>sneak(thrown);
                    }))
                    .isSameAs(thrown);
            resumed(callers);
        }
        assertThat(scene.workflows()).doesNotContain("thrown");
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable, R> R sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void theCallersTransactionIsResumedWhenThePoolHasNoConnection() throws Exception {
        try (EntityManager manager = scene.unit.createEntityManager()) {
            Transaction callers = begun();
            scene.worker(Holdfast.joining(manager), "holds-the-only-connection").created();
            Thrown.by(() -> scene.worker(holdfast, "none-left").created()).is(StoreUnavailableException.class, true);
            resumed(callers);
            TRANSACTIONS.commit();
        }
        assertThat(scene.workflows()).contains("holds-the-only-connection").doesNotContain("none-left");
        scene.worker(holdfast, "free-again").created();
    }

    @Test
    void theCommandTimeoutEndsAStatementWithinALongerTransactionAndTheCallersIsResumed() throws Exception {
        Worker worker = scene.worker(holdfast, "locked");
        Workflow read = worker.created();
        Transaction callers = begun();
        try (Holdfast impatient =
                        Holdfast.jta(scene.unit, Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(200)));
                RowLock lock = RowLock.onWorkflow(scene.database, worker)) {
            assertThat(lock.connection().isClosed()).isFalse();
            // By entity, so the driver's timeout: a whole second.
            Thrown.by(() -> impatient.in(scene.scope).workflows().update(read, queued(read)))
                    .is(StoreTimeoutException.class, true);
        }
        resumed(callers);
        assertThat(worker.stores().workflows().update(read, queued(read))).isInstanceOf(Update.Updated.class);
    }

    @Test
    void codeThatMarksItsTransactionForRollbackHearsThatNothingWasWritten() throws Exception {
        Transaction callers = begun();
        Thrown.by(() -> holdfast.atomically(bound -> {
                    scene.worker(bound, "marked").created();
                    try {
                        TRANSACTIONS.setRollbackOnly();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    return "done";
                }))
                .is(TransactionLostException.class, true);
        resumed(callers);
        assertThat(scene.workflows()).doesNotContain("marked");
    }

    @Test
    void codeThatCatchesAFailedOperationHearsThatNothingWasWritten() throws Exception {
        Worker locked = scene.worker(holdfast, "locked-lease");
        locked.acquired("a");
        try (Holdfast impatient =
                        Holdfast.jta(scene.unit, Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(100)));
                RowLock lock = RowLock.onLease(scene.database, locked)) {
            assertThat(lock.connection().isClosed()).isFalse();
            Thrown.by(() -> impatient.atomically(bound -> {
                        scene.worker(bound, "caught").created();
                        Thrown.by(() -> scene.worker(bound, "locked-lease").acquired("a"));
                        return "done";
                    }))
                    .is(StoreTimeoutException.class, true)
                    .with("operation", "lease.acquire");
        }
        assertThat(scene.workflows()).doesNotContain("caught");
    }

    @Test
    void storesThatWereHadBeforeTheFacadeWasClosedAreRefused() {
        Holdfast closed = scene.jta();
        Worker worker = scene.worker(closed, "closed");
        closed.close();
        Thrown.by(worker::created).is(StoreUnavailableException.class, false).with("cause", "closed");
        assertThat(scene.unit.isOpen()).isTrue();
    }

    /** The pool has one connection: each operation has given it back, and has found it as the pool made it. */
    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void anOperationAnswersInsideAtomicallyAsByItself(Operations.Case operation) {
        Object answer = holdfast.atomically(bound -> operation
                .prepare()
                .apply(scene.worker(bound, "bound-" + operation.name().replace(' ', '-')))
                .get());
        assertThat(answer).isInstanceOf(operation.answer());
    }

    /** A server's data source often has an isolation of its own; the statements are written for READ COMMITTED. */
    @ParameterizedTest
    @EnumSource
    void onAPoolOfAHigherIsolationALostRaceIsAnAnswer(JtaUnit.Resource resource) throws Exception {
        try (Logged logged = Logged.start();
                JtaScene strict = JtaScene.over(
                        JtaUnit.pool(resource, TestDatabase.get().url(), 2, TransactionIsolation.SERIALIZABLE));
                Holdfast own = strict.jta()) {
            assertThat(logged.lines())
                    .filteredOn(line -> line.contains("isolation is not READ COMMITTED"))
                    .hasSize(1);
            Worker worker = strict.worker(own, "raced");
            Workflow read = worker.created();
            String rivals =
                    "update holdfast.workflow set revision = revision + 1 where scope = '" + strict.scope.id() + "'";
            try (RowLock rival = RowLock.by(strict.database, rivals)) {
                // In a whole transaction, which is not repeated: a repeat would hide what the first time was.
                var losing = Background.run(() -> own.atomically(
                        bound -> bound.in(strict.scope).workflows().update(read, queued(read))));
                Background.awaitBlocked(rival.connection());
                rival.connection().commit();
                assertThat(losing.get()).isEqualTo(new Update.RevisionConflict(2));
            }
        }
    }
}
