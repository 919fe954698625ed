package io.holdfast.repository;

import static io.holdfast.repository.Worker.queued;
import static io.holdfast.repository.Worker.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What changed hands and what was refused is logged, with ids; the ordinary is not. */
class LogTest {

    private final Scope scope = Scope.of("logged-" + UUID.randomUUID());
    private Holdfast holdfast;
    private Worker worker;
    private Logged logged;

    @BeforeEach
    void open() {
        holdfast = Holdfast.open(TestDatabase.get().dataSource());
        worker = new Worker(holdfast.in(scope), "wf");
        logged = Logged.start();
    }

    @AfterEach
    void close() {
        logged.close();
        holdfast.close();
    }

    @Test
    void aTakeoverIsLogged() {
        worker.acquired("former");
        TestDatabase.get()
                .execute("update holdfast.lease set expires_at = clock_timestamp() where scope = '" + scope.id() + "'");
        worker.acquired("present");
        assertThat(lines())
                .containsExactly("INFO io.holdfast.repository.Holdfast Lease workflow wf of scope \"" + scope.id()
                        + "\" had expired and was taken over by present with token 2");
    }

    @Test
    void whatAFormerHolderIsRefusedIsLogged() {
        Workflow read = worker.created();
        Fence former = worker.superseded();
        KeyClaim claim = worker.reserved();
        Stores stores = worker.stores();
        stores.workflows().updateFenced(read, queued(read), former);
        stores.idempotencyKeys().completeFenced(claim, Worker.OUTCOME, former);
        stores.leases().renew(worker.lease(), former);
        stores.leases().renewAll(Map.of(worker.lease(), former));
        stores.steps().begin(worker.step(), former);
        stores.steps().finish(claim, result(read), former);
        stores.steps().step(worker.step(), result(read), former);
        String rest = " of workflow wf of scope \"" + scope.id()
                + "\" was refused: the fence of former with token 1 does not hold: SUPERSEDED";
        assertThat(lines())
                .containsExactly(List.of(
                                "workflow.updateFenced",
                                "key.completeFenced",
                                "lease.renew",
                                "lease.renewAll",
                                "step.begin",
                                "step.finish",
                                "step.step")
                        .stream()
                        .map(operation -> "INFO io.holdfast.repository.Holdfast " + operation + rest)
                        .toArray(String[]::new));
    }

    @Test
    void theOrdinaryIsNotLogged() {
        Workflow read = worker.created();
        Fence fence = worker.acquired("a");
        worker.stores().leases().acquire(worker.lease(), "b", Worker.TTL);
        worker.stores().leases().acquire(worker.lease(), "a", Lease.MIN_TTL);
        worker.stores().workflows().update(read, queued(read));
        worker.stores().workflows().update(read, queued(read));
        worker.stores().leases().release(worker.lease(), fence);
        worker.acquired("a");
        assertThat(lines()).isEmpty();
    }

    private List<String> lines() {
        return logged.lines(Level.INFO).stream()
                .filter(line -> line.contains("io.holdfast."))
                .toList();
    }
}
