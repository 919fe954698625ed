package io.holdfast.bench;

import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An installation at work, at a steady rate: leases that are renewed all the time, workflows that are made, go through their
 * steps and end, and clean-up that removes what has ended a minute ago.
 */
final class DayLoad {

    static final String KIND = "held";
    private static final int STEPS_OF_A_LIFE = 20;
    private static final int LIVING = 25;
    private static final int BATCH = 1_000;
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final Duration CLEANING_EACH = Duration.ofSeconds(20);
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final RetentionPolicy POLICY = RetentionPolicy.of(RetentionRule.KEEP_ALL
            .with(WorkflowStatus.SUCCEEDED, Keep.during(KEPT))
            .withExpired(KEPT));

    final Window steps = new Window();
    final Window renewals = new Window();
    final Window lives = new Window();
    final AtomicLong removed = new AtomicLong();

    private final Stores stores;
    private final int threads;
    private final long gap;
    private final int leases;
    private final Duration renewEach;
    private final ExecutorService crew = Executors.newCachedThreadPool();
    private final List<Future<?>> ends = new ArrayList<>();
    private volatile boolean over;

    /** @param rate steps a second, of all threads */
    DayLoad(Stores stores, int threads, int rate, int leases, Duration renewEach) {
        this.stores = stores;
        this.threads = threads;
        this.gap = 1_000_000_000L * threads / rate;
        this.leases = leases;
        this.renewEach = renewEach;
    }

    void start() {
        for (int thread = 0; thread < threads; thread++) {
            Worker worker = new Worker(thread);
            ends.add(crew.submit(worker));
        }
        ends.add(crew.submit(this::renew));
        ends.add(crew.submit(this::clean));
    }

    /** @throws IllegalStateException if one of them has come to an end before its time */
    void check() {
        for (Future<?> end : ends) {
            if (end.isDone()) {
                finished(end);
                throw new IllegalStateException("A thread has ended");
            }
        }
    }

    void stop() {
        over = true;
        ends.forEach(DayLoad::finished);
        crew.shutdown();
    }

    private static void finished(Future<?> end) {
        try {
            end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** A batch after the other, so that all have had their turn after the time of a renewal. */
    private void renew() {
        int batches = Math.max(1, (leases + BATCH - 1) / BATCH);
        long each = renewEach.toNanos() / batches;
        long due = System.nanoTime();
        for (int number = 0; !over; number++) {
            int from = number % batches * BATCH;
            Map<LeaseKey, Fence> held = new LinkedHashMap<>();
            for (int i = from; i < Math.min(leases, from + BATCH); i++) {
                held.put(new LeaseKey(KIND, Rows.id(0, i)), new Fence(Rows.owner(0), 1));
            }
            long begun = System.nanoTime();
            stores.leases().renewAll(held).values().forEach(answer -> Answers.is(Renewal.Renewed.class, answer));
            renewals.add(System.nanoTime() - begun);
            due = waited(due + each);
        }
    }

    private void clean() {
        long due = System.nanoTime();
        while (!over) {
            long before = removed.get();
            stores.cleanup()
                    .run(
                            POLICY,
                            RetentionPace.DEFAULT.withAtMost(CLEANING_EACH),
                            done -> removed.set(before + done.total()));
            due = waited(due + CLEANING_EACH.toNanos());
        }
    }

    /** What could not be done in time is not made up for. */
    private long waited(long due) {
        long now = System.nanoTime();
        for (long left = due - now; left > 0 && !over; left = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, 100_000_000));
        }
        return Math.max(due, now);
    }

    /** Goes round its workflows, a step each time; who has had enough ends and makes room for a new one. */
    private final class Worker implements Runnable {

        private final int thread;
        private final Workflow[] living = new Workflow[LIVING];
        private final Fence[] fences = new Fence[LIVING];
        private int made;

        Worker(int thread) {
            this.thread = thread;
            for (int i = 0; i < LIVING; i++) {
                create(i);
            }
        }

        private void create(int i) {
            String id = Rows.id(thread, made++);
            LeaseKey key = LeaseKey.ofWorkflow(id);
            Acquisition acquired = stores.leases().acquire(key, Rows.owner(thread), Duration.ofHours(2));
            fences[i] = Answers.is(Acquisition.Granted.class, acquired).lease().fence();
            Creation created = stores.workflows().create(States.made(id), Rows.LABELS);
            living[i] = Answers.is(Creation.Created.class, created).workflow();
        }

        @Override
        public void run() {
            long due = System.nanoTime();
            for (int number = 0; !over; number++) {
                int i = number % LIVING;
                Workflow read = living[i];
                // Not all at once: the first ones begin in the midst of their lives.
                boolean last = read.revision() + (made <= LIVING ? i % STEPS_OF_A_LIFE : 0) > STEPS_OF_A_LIFE;
                long begun = System.nanoTime();
                living[i] = stepped(read, fences[i], last);
                steps.add(System.nanoTime() - begun);
                if (last) {
                    create(i);
                    lives.add(System.nanoTime() - begun);
                }
                due = waited(due + gap);
            }
        }

        private Workflow stepped(Workflow read, Fence fence, boolean last) {
            WorkflowState next = last
                    ? WorkflowRules.transition(read.state(), WorkflowStatus.SUCCEEDED, "event-last", AT)
                    : read.state().toBuilder()
                            .currentStage("stage-" + read.revision())
                            .build();
            Step step = new Step(read.id(), read.id() + "-" + read.revision(), States.REQUEST, KeepFor.of(KEPT));
            StepResult result =
                    new StepResult(read, next, KeyOperations.OUTCOME, last ? LeaseAfter.RELEASE : LeaseAfter.KEEP);
            return Answers.is(Finished.Done.class, stores.steps().step(step, result, fence))
                    .workflow();
        }
    }
}
