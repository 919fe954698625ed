package io.holdfast.repository;

import static io.holdfast.repository.Worker.queued;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.lease.Fence;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long an operation waits for a row that somebody has locked. */
class TimeoutsTest {

    private static final Duration COMMAND = Duration.ofSeconds(1);
    private static final Duration SLOW_MACHINE = Duration.ofSeconds(4);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static TestDatabase database;
    private static Holdfast holdfast;

    private Worker worker;

    @BeforeAll
    static void open() {
        database = TestDatabase.get();
        holdfast = Holdfast.open(database.dataSource(), Settings.DEFAULT.withCommandTimeout(COMMAND));
    }

    @AfterAll
    static void close() {
        holdfast.close();
    }

    @BeforeEach
    void start() {
        worker = new Worker(holdfast.in(Scope.of("timeouts")), "wf-" + NUMBER.incrementAndGet());
    }

    // D-31. By entity, so the driver's timeout ends it: in whole seconds.
    @Test
    void anUpdateOfALockedRowIsGivenUpAfterTheCommandTimeout() throws Exception {
        Workflow read = worker.created();
        try (RowLock lock = RowLock.onWorkflow(database, worker)) {
            Thrown thrown = Thrown.by(() -> worker.stores().workflows().update(read, queued(read)))
                    .is(StoreTimeoutException.class, true);
            assertThat(thrown.after()).isBetween(COMMAND, COMMAND.plus(SLOW_MACHINE));
        }
        assertThat(worker.stores().workflows().find(worker.id())).contains(read);
    }

    @Test
    void aNativeStatementWaitsForALockToTheMillisecond() throws Exception {
        Fence fence = worker.acquired("a");
        Duration patience = Duration.ofMillis(150);
        try (Holdfast impatient = Holdfast.open(database.dataSource(), Settings.DEFAULT.withCommandTimeout(patience));
                RowLock lock = RowLock.onLease(database, worker)) {
            Thrown thrown = Thrown.by(
                            () -> impatient.in(worker.stores().scope()).leases().renew(worker.lease(), fence))
                    .is(StoreTimeoutException.class, true)
                    .with("sqlstate", "55P03");
            // The state says that it was not the driver's timeout, which would take a second.
            assertThat(thrown.after()).isBetween(patience, patience.plus(SLOW_MACHINE));
        }
        assertThat(worker.stores().leases().renew(worker.lease(), fence)).isNotNull();
    }

    /** The bound goes into the function, and holds for the locks that it takes; nothing of it is left behind. */
    @Test
    void aFunctionWaitsForALockToTheMillisecond() throws Exception {
        worker.created();
        Fence fence = worker.acquired("a");
        Duration patience = Duration.ofMillis(150);
        try (Holdfast impatient = Holdfast.open(database.dataSource(), Settings.DEFAULT.withCommandTimeout(patience));
                RowLock lock = RowLock.onLease(database, worker)) {
            Thrown thrown = Thrown.by(
                            () -> impatient.in(worker.stores().scope()).steps().begin(worker.step(), fence))
                    .is(StoreTimeoutException.class, true)
                    .with("sqlstate", "55P03");
            assertThat(thrown.after()).isBetween(patience, patience.plus(SLOW_MACHINE));
        }
        assertThat(worker.begun(fence)).isNotNull();
    }

    /** Two seconds are two: neither the driver's whole seconds nor Hibernate's cutting of them comes first. */
    @Test
    void aCommandTimeoutOfTwoSecondsIsNotOneSecond() throws Exception {
        Workflow read = worker.created();
        Duration two = Duration.ofSeconds(2);
        try (Holdfast patient = Holdfast.open(database.dataSource(), Settings.DEFAULT.withCommandTimeout(two));
                RowLock lock = RowLock.onWorkflow(database, worker)) {
            Thrown thrown = Thrown.by(() ->
                            patient.in(worker.stores().scope()).workflows().update(read, queued(read)))
                    .is(StoreTimeoutException.class, true);
            assertThat(thrown.after()).isBetween(two, two.plus(SLOW_MACHINE));
        }
    }
}
