package io.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.Checkpoint;
import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowEvent;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A database of its own with so many workflows, their leases and as many keys, spread evenly over so many tenants. Calls go to
 * any of them at random; no two threads go to the same one.
 */
final class Field implements AutoCloseable {

    /** What is measured; those that write a state read it first, by primary key. */
    enum Call {
        FIND("find"),
        RENEW("renew"),
        UPDATE("find+update"),
        STEP("find+step");

        final String label;

        Call(String label) {
            this.label = label;
        }
    }

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final String PLACEHOLDER = "WORKFLOW-ID";
    private static final int PART = 200_000;
    private static final int MOST_NOTES = 16;
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final TestDatabase database;
    private final HikariDataSource pool;
    private final Holdfast holdfast;
    private final Rows rows;
    private final int count;
    private final int tenants;
    private final long snapshotBytes;

    /** @param snapshot bytes of a snapshot, about; the least is some hundreds */
    Field(int count, int tenants, int snapshot, int connections) {
        this.count = count;
        this.tenants = tenants;
        database = TestDatabase.migrated("growth");
        String text = Snapshots.write(state(snapshot));
        snapshotBytes = text.length();
        for (int from = 0; from < count; from += PART) {
            fill(from, Math.min(count, from + PART), text);
        }
        database.execute(
                "vacuum (analyze) holdfast.workflow, holdfast.idempotency_key, holdfast.lease, holdfast.lease_floor",
                "checkpoint");
        pool = Pools.of(database.url(), connections);
        holdfast = Holdfast.open(pool);
        rows = new Rows(database);
    }

    private static WorkflowState state(int bytes) {
        WorkflowState queued = WorkflowRules.transition(
                WorkflowState.create(PLACEHOLDER, States.REQUEST), WorkflowStatus.QUEUED, "event-1", AT);
        WorkflowState state = WorkflowRules.transition(queued, WorkflowStatus.RUNNING, "event-2", AT);
        SplittableRandom random = new SplittableRandom(1);
        int number = 3;
        for (int missing = bytes;
                missing > 400;
                missing = bytes - Snapshots.write(state).length()) {
            Map<String, String> notes = new HashMap<>();
            for (int left = missing - 400;
                    left > 0 && notes.size() < MOST_NOTES;
                    left -= WorkflowEvent.MAX_METADATA_VALUE) {
                notes.put("note-" + notes.size(), text(random, Math.min(left, WorkflowEvent.MAX_METADATA_VALUE)));
            }
            Checkpoint progress = Checkpoint.at("stage-old", "event-" + number++, AT);
            state = WorkflowRules.checkpoint(state, progress.withMetadata(notes));
        }
        return state.toBuilder().currentStage("stage-old").build();
    }

    /** As little to be compressed as digits are. */
    private static String text(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(Long.toHexString(random.nextLong()));
        }
        text.setLength(length);
        return text.toString();
    }

    private void fill(int from, int to, String snapshot) {
        String of = "'t-' || g %% %d, 'w-' || g".formatted(tenants);
        String series = " from generate_series(%d, %d) g".formatted(from, to - 1);
        database.execute(
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot) select " + of
                        + ", 'request-1', 'running', 1, replace('" + snapshot.replace("'", "''") + "', '" + PLACEHOLDER
                        + "', 'w-' || g)" + series,
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at) select 't-' || g % "
                        + tenants + ", 'workflow', 'w-' || g, 'w0', 1, 7200000, clock_timestamp(),"
                        + " clock_timestamp() + interval '30 days'" + series,
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, outcome,"
                        + " keep_ms, expires_at) select 't-' || g % " + tenants
                        + ", 'old-' || g, 1, 'request-1', 'w-' || g, 'completed', '" + KeyOperations.OUTCOME
                        + "', 86400000, clock_timestamp() + interval '1 day'" + series);
    }

    long snapshotBytes() {
        return snapshotBytes;
    }

    TestDatabase database() {
        return database;
    }

    /** Of so many workers; a crew's counts of the server's time are this database's. */
    Shift turn(Call call, Crew crew, double seconds) {
        Operation.Call[] calls = new Operation.Call[crew.size()];
        for (int thread = 0; thread < calls.length; thread++) {
            calls[thread] = calls(call, thread, crew.size());
        }
        Shift shift = new Shift(Scope.of(""), calls);
        crew.run(shift, (long) (seconds * 1e9), Integer.MAX_VALUE);
        return shift;
    }

    Crew crew(int threads) {
        return new Crew(threads, rows.backends());
    }

    private Operation.Call calls(Call call, int thread, int threads) {
        SplittableRandom random = new SplittableRandom(System.nanoTime());
        Fence fence = new Fence("w0", 1);
        return number -> {
            int any = random.nextInt(Math.max(1, count / threads)) * threads + thread;
            Stores stores = holdfast.in(Scope.of("t-" + any % tenants));
            String id = "w-" + any;
            switch (call) {
                case FIND -> read(stores, id);
                case RENEW -> Answers.is(Renewal.Renewed.class, stores.leases().renew(LeaseKey.ofWorkflow(id), fence));
                case UPDATE -> {
                    Workflow read = read(stores, id);
                    Answers.is(Update.Updated.class, stores.workflows().updateFenced(read, next(read), fence));
                }
                case STEP -> {
                    Workflow read = read(stores, id);
                    Step step = new Step(id, "step-" + KEYS.getAndIncrement(), States.REQUEST);
                    StepResult result = new StepResult(read, next(read), KeyOperations.OUTCOME, LeaseAfter.KEEP);
                    Answers.is(Finished.Done.class, stores.steps().step(step, result, fence));
                }
            }
        };
    }

    private static Workflow read(Stores stores, String id) {
        return stores.workflows().find(id).orElseThrow();
    }

    private static WorkflowState next(Workflow read) {
        String stage = "stage-old".equals(read.state().currentStage()) ? "stage-new" : "stage-old";
        return read.state().toBuilder().currentStage(stage).build();
    }

    @Override
    public void close() {
        holdfast.close();
        pool.close();
        database.close();
    }
}
