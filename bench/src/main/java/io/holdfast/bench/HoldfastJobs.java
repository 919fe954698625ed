package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.WorkflowPage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A workflow for each job. A worker lists what is queued, takes a lease, reads the workflow, does the job, and ends the workflow
 * by a step that releases the lease.
 */
final class HoldfastJobs extends Jobs {

    private static final int PAGE = 500;
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private final Holdfast holdfast;
    private final Rows rows;

    HoldfastJobs(Holdfast holdfast, Rows rows, int number) {
        super("holdfast", number);
        this.holdfast = holdfast;
        this.rows = rows;
    }

    /** Both turns of a round are in one scope. */
    private static Scope jobs(Scope scope) {
        return Scope.of("jobs-" + scope.id());
    }

    @Override
    Calls.Ready enqueuing(Scope scope, int threads) {
        Stores stores = holdfast.in(jobs(scope));
        rows.floor(jobs(scope));
        return new Calls.Ready() {
            @Override
            public Operation.Call calls(int thread) {
                return number -> Answers.is(
                        Creation.Created.class, stores.workflows().create(queued(Rows.id(thread, number)), Map.of()));
            }

            @Override
            public long effects(long[] done) {
                return rows.count("count(*)", "workflow", jobs(scope));
            }
        };
    }

    private static WorkflowState queued(String id) {
        return WorkflowRules.transition(WorkflowState.create(id, States.REQUEST), WorkflowStatus.QUEUED, "queued", AT);
    }

    @Override
    AutoCloseable workers(Scope scope, int threads) {
        Stores stores = holdfast.in(jobs(scope));
        Queue queue = new Queue(stores);
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        Future<?>[] ends = new Future<?>[threads];
        for (int thread = 0; thread < threads; thread++) {
            String owner = Rows.owner(thread);
            ends[thread] = workers.submit(() -> work(stores, queue, owner));
        }
        return () -> {
            workers.shutdown();
            for (Future<?> end : ends) {
                end.get(1, TimeUnit.MINUTES);
            }
        };
    }

    private static void work(Stores stores, Queue queue, String owner) {
        for (String id = queue.next(); id != null; id = queue.next()) {
            Acquisition acquired =
                    stores.leases().acquire(LeaseKey.ofWorkflow(id), owner, java.time.Duration.ofMinutes(1));
            if (acquired instanceof Acquisition.Granted granted) {
                Workflow read = stores.workflows().find(id).orElseThrow();
                StepResult result =
                        new StepResult(read, ended(read.state()), KeyOperations.OUTCOME, LeaseAfter.RELEASE);
                Answers.is(
                        Finished.Done.class,
                        stores.steps()
                                .step(
                                        new Step(id, id, States.REQUEST),
                                        result,
                                        granted.lease().fence()));
                done();
            }
        }
    }

    private static WorkflowState ended(WorkflowState queued) {
        WorkflowState running = WorkflowRules.transition(queued, WorkflowStatus.RUNNING, "running", AT);
        return WorkflowRules.transition(running, WorkflowStatus.SUCCEEDED, "succeeded", AT);
    }

    /** The ids of what is queued, a page at a time; who finds it empty reads the next. */
    private static final class Queue {

        private final Stores stores;
        private final ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();
        private Optional<WorkflowPage.Place> place = Optional.empty();
        private boolean over;

        Queue(Stores stores) {
            this.stores = stores;
        }

        /** Null: there are no more. */
        @org.jspecify.annotations.Nullable
        String next() {
            String id = ids.poll();
            return id != null ? id : afterReading();
        }

        private synchronized @org.jspecify.annotations.Nullable String afterReading() {
            if (ids.isEmpty() && !over) {
                WorkflowPage page =
                        stores.workflows().search(WorkflowFilter.ALL.withStatus(WorkflowStatus.QUEUED), place, PAGE);
                page.lines().forEach(line -> ids.add(line.workflow().id()));
                place = page.next();
                over = place.isEmpty();
            }
            return ids.poll();
        }
    }
}
