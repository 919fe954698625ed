package io.holdfast.repository;

import static io.holdfast.repository.Worker.checkpointed;
import static io.holdfast.repository.Worker.queued;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.migrations.SchemaName;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.Session;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database whose transactions are stricter by default than the statements are written for: H37, G-14. */
class IsolationTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static TestDatabase database(String isolation) {
        TestDatabase database = TestDatabase.migrated("isolation");
        database.execute(
                "alter database " + database.name() + " set default_transaction_isolation = '" + isolation + "'");
        return database;
    }

    private static Worker worker(Holdfast holdfast) {
        return new Worker(holdfast.in(Scope.of("isolation")), "wf-" + NUMBER.incrementAndGet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void everyOperationOfOursAnswersAsInReadCommitted(String isolation) {
        try (TestDatabase database = database(isolation);
                Logged logged = Logged.start();
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            new Worker(holdfast.in(Scope.of("isolation")), "floor").acquired("a");
            Operations.all()
                    .forEach(operation -> assertThat(
                                    operation.prepare().apply(worker(holdfast)).get())
                            .as(operation.name())
                            .isInstanceOf(operation.answer()));
            assertThat(logged.lines())
                    .filteredOn(line -> line.contains("isolation is not READ COMMITTED"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void whoLosesARaceHearsAConflictAndNoFailure(String isolation) throws Exception {
        try (TestDatabase database = database(isolation);
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Worker worker = worker(holdfast);
            Workflow read = worker.created();
            Fence fence = worker.acquired("a");
            try (RowLock rival = RowLock.by(database, "update holdfast.workflow set revision = revision + 1")) {
                var plain = Background.run(() -> worker.stores().workflows().update(read, queued(read)));
                Background.awaitBlocked(rival.connection());
                rival.connection().commit();
                assertThat(plain.get()).isEqualTo(new Update.RevisionConflict(2));
            }
            try (RowLock rival = RowLock.by(database, "update holdfast.workflow set revision = revision + 1")) {
                var fenced = Background.run(() -> worker.stores().workflows().updateFenced(read, queued(read), fence));
                Background.awaitBlocked(rival.connection());
                rival.connection().commit();
                assertThat(fenced.get()).isEqualTo(new Update.RevisionConflict(3));
            }
            worker.stores().leases().release(worker.lease(), fence);
            String taken =
                    "update holdfast.lease set owner = 'b', token = token + 1, expires_at = clock_timestamp() + interval '1h'";
            try (RowLock rival = RowLock.by(database, taken)) {
                var acquiring = Background.run(() -> worker.stores().leases().acquire(worker.lease(), "c", Worker.TTL));
                Background.awaitBlocked(rival.connection());
                rival.connection().commit();
                assertThat(acquiring.get()).isInstanceOf(Acquisition.Busy.class);
            }
            String reserved =
                    "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status)"
                            + " values ('isolation', '" + worker.key() + "', 1, 'req-2', 'wf-2', 'reserved')";
            try (RowLock rival = RowLock.by(database, reserved)) {
                var reserving = Background.run(() ->
                        worker.stores().idempotencyKeys().reserve(worker.key(), "req-1", worker.id(), KeepFor.DEFAULT));
                Background.awaitBlocked(rival.connection());
                rival.connection().commit();
                assertThat(reserving.get()).isInstanceOf(Reservation.Conflict.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void inACallersTransactionALostRaceIsTheEndOfItAndSaysSo(String isolation) throws Exception {
        TestDatabase database = TestDatabase.get();
        try (EntityManagerFactory unit = OwnUnit.over(database.dataSource(), SchemaName.DEFAULT);
                Holdfast rival = Holdfast.open(database.dataSource());
                EntityManager manager = unit.createEntityManager()) {
            Worker theirs = worker(rival);
            Workflow read = theirs.created();
            Fence fence = theirs.acquired("a");
            for (boolean fenced : new boolean[] {true, false}) {
                manager.getTransaction().begin();
                manager.unwrap(Session.class).doWork(connection -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute("set transaction isolation level " + isolation);
                    }
                });
                Stores joined = Holdfast.joining(manager).in(theirs.stores().scope());
                Workflow seen = joined.workflows().find(theirs.id()).orElseThrow();
                theirs.stores().workflows().update(seen, checkpointed(seen));
                Thrown.by(() -> fenced
                                ? joined.workflows().updateFenced(seen, queued(seen), fence)
                                : joined.workflows().update(seen, queued(seen)))
                        .is(TransactionLostException.class, true)
                        .with("sqlstate", "40001");
                manager.getTransaction().rollback();
            }
            // The retry is the host's: the whole of it, from the read on.
            manager.getTransaction().begin();
            Stores joined = Holdfast.joining(manager).in(theirs.stores().scope());
            Workflow again = joined.workflows().find(read.id()).orElseThrow();
            assertThat(joined.workflows().update(again, queued(again))).isInstanceOf(Update.Updated.class);
            manager.getTransaction().commit();
        }
    }
}
