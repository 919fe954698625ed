package io.holdfast.micrometer;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Keeping;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.LeaseKeeperSettings;
import io.holdfast.repository.Settings;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An observed application whose every id, owner, scope and payload can be told from all else. */
final class Scene implements AutoCloseable {

    static final String MARK = "mark3r";

    final TestDatabase database = TestDatabase.get();
    final Settings settings = Settings.of(database.url(), database.user(), database.password());
    final Scope scope = Scope.of(MARK + UUID.randomUUID());
    final Holdfast holdfast;
    final LeaseKeeper keeper;
    final Stores stores;
    private final LinkedBlockingQueue<KeptLease> told = new LinkedBlockingQueue<>();

    Scene(MicrometerObserver observer) {
        // snippet: observed
        holdfast = Holdfast.open(settings).observed(observer);
        keeper = LeaseKeeper.open(
                settings,
                LeaseKeeperSettings.DEFAULT.withInterval(Duration.ofMillis(250)).withObserver(observer));
        // end
        stores = holdfast.in(scope);
    }

    KeptLease kept(String id) {
        return ((Keeping.Kept)
                        keeper.acquire(stores, new LeaseKey(MARK, MARK + id), MARK, Duration.ofSeconds(30), told::add))
                .lease();
    }

    void lose(KeptLease lease) throws InterruptedException {
        database.execute("update holdfast.lease set token = token + 1 where scope = '" + scope.id() + "' and id = '"
                + lease.key().id() + "'");
        if (told.poll(10, TimeUnit.SECONDS) == null) {
            throw new AssertionError("nobody was told of the loss");
        }
    }

    /** A bit of everything, with what a former holder is refused. */
    void work() {
        WorkflowState first = WorkflowState.create(MARK + "-wf", MARK + "-req");
        Workflow read = ((Creation.Created) stores.workflows().create(first, Map.of(MARK, MARK))).workflow();
        WorkflowState next = WorkflowRules.transition(
                read.state(), WorkflowStatus.QUEUED, MARK, Instant.parse("2026-01-01T00:00:00Z"));
        LeaseKey key = LeaseKey.ofWorkflow(read.id());
        Fence former = ((Acquisition.Granted) stores.leases().acquire(key, MARK, Duration.ofSeconds(30)))
                .lease()
                .fence();
        stores.leases().acquire(key, MARK + "-rival", Duration.ofSeconds(30));
        stores.leases().release(key, former);
        stores.workflows().updateFenced(read, next, former);
        stores.workflows().update(read, next);
        IdempotencyKey reserved = stores.idempotencyKeys()
                .reserve(MARK, MARK + "-req", read.id(), KeepFor.DEFAULT)
                .key();
        stores.idempotencyKeys().complete(reserved.claim(), "sha256:" + "a".repeat(64));
        stores.workflows().requestCancel(read.id(), MARK);
        holdfast.atomically(bound -> bound.in(scope).workflows().find(read.id()));
        stores.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10));
    }

    @Override
    public void close() {
        keeper.close();
        holdfast.close();
    }
}
