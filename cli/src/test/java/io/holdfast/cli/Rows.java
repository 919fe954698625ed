package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.Map;

/** A migrated database with rows in it, written by the library, as an application does. */
final class Rows implements AutoCloseable {

    static final Scope ACME = Scope.of("acme");

    final TestDatabase database = TestDatabase.migrated("cli");
    final Shell shell = Shell.on(database);
    final Holdfast holdfast = Holdfast.open(database.directDataSource());
    final Stores acme = holdfast.in(ACME);

    Rows() {
        Shell.Result migrated = shell.run("db", "migrate");
        if (migrated.status() != 0) {
            throw new AssertionError(migrated.err());
        }
    }

    void workflow(String id) {
        Object created = acme.workflows().create(WorkflowState.create(id, "req-" + id), Map.of("customer", "harbour"));
        if (created == null) {
            throw new AssertionError();
        }
    }

    Lease lease(String id, String owner) {
        return ((Acquisition.Granted) acme.leases().acquire(LeaseKey.ofWorkflow(id), owner, Duration.ofMinutes(10)))
                .lease();
    }

    void key(String key, String workflow) {
        Object reserved = acme.idempotencyKeys().reserve(key, workflow, KeepFor.DEFAULT);
        if (reserved == null) {
            throw new AssertionError();
        }
        database.execute(
                "update holdfast.idempotency_key set workflow_id = '" + workflow + "' where key = '" + key + "'");
    }

    /** Three workflows, of which one is held, one was held, and one ended; a key of each. */
    Rows usual() {
        for (String id : new String[] {"order-1001", "order-1002", "order-1003"}) {
            workflow(id);
            key(id, id);
        }
        lease("order-1001", "worker-7");
        lease("order-1002", "worker-8");
        database.execute(
                "update holdfast.lease set granted_at = granted_at - interval '3 days',"
                        + " expires_at = expires_at - interval '3 days' where id = 'order-1002'",
                "update holdfast.idempotency_key set created_at = created_at - interval '9 days',"
                        + " expires_at = clock_timestamp() - interval '8 days' where key = 'order-1002'");
        return this;
    }

    @Override
    public void close() {
        holdfast.close();
        database.close();
    }
}
