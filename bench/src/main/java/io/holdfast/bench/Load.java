package io.holdfast.bench;

import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that work at a steady rate: of ten calls five renew, four update under the lease, one takes a new lease. */
final class Load {

    enum Phase {
        WARM_UP,
        WITHOUT,
        BESIDE
    }

    private static final int HELD = 50;
    private static final int MOST = 500_000;
    private static final Duration TTL = Duration.ofHours(2);

    private final Stores stores;
    private final long gap;
    private final ExecutorService crew;
    private final List<Future<?>> ends = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final AtomicInteger fresh = new AtomicInteger();
    private volatile Phase phase = Phase.WARM_UP;
    private volatile boolean over;

    Load(Stores stores, int threads, int rate) {
        this.stores = stores;
        this.gap = 1_000_000_000L * threads / rate;
        this.crew = Executors.newFixedThreadPool(threads);
        for (int thread = 0; thread < threads; thread++) {
            Worker worker = new Worker(thread);
            workers.add(worker);
            ends.add(crew.submit(worker));
        }
    }

    void count(Phase next) {
        phase = next;
    }

    int workflows() {
        return workers.size() * HELD;
    }

    int leases() {
        return workflows() + fresh.get();
    }

    /** @throws IllegalStateException if a call did not answer as it should have: a lease that was lost, say */
    void close() throws InterruptedException {
        over = true;
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        crew.shutdown();
    }

    String report() {
        StringBuilder text = new StringBuilder();
        for (Phase each : List.of(Phase.WITHOUT, Phase.BESIDE)) {
            long[] all = workers.stream()
                    .flatMapToLong(worker -> worker.of(each).stream())
                    .sorted()
                    .toArray();
            text.append(String.format(
                    Locale.ROOT,
                    "%-9s %d calls; p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.1f ms%n",
                    each == Phase.WITHOUT ? "without" : "beside",
                    all.length,
                    at(all, 0.5),
                    at(all, 0.99),
                    at(all, 0.999),
                    at(all, 1)));
        }
        return text.toString();
    }

    private static double at(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * part)] / 1e6;
    }

    private static final class Times {
        private final long[] nanos = new long[MOST];
        private int count;

        void add(long time) {
            nanos[count++ % MOST] = time;
        }

        java.util.stream.LongStream stream() {
            return Arrays.stream(nanos, 0, Math.min(count, MOST));
        }
    }

    private final class Worker implements Runnable {

        private final int thread;
        private final Times[] times = {new Times(), new Times(), new Times()};
        private final Workflow[] workflows = new Workflow[HELD];
        private final Fence[] fences = new Fence[HELD];

        private Worker(int thread) {
            this.thread = thread;
            for (int i = 0; i < HELD; i++) {
                String id = Rows.id(thread, i);
                fences[i] = granted(LeaseKey.ofWorkflow(id));
                Creation created = stores.workflows().create(States.first(id), Rows.LABELS);
                workflows[i] = Answers.is(Creation.Created.class, created).workflow();
            }
        }

        private Times of(Phase each) {
            return times[each.ordinal()];
        }

        private Fence granted(LeaseKey key) {
            Acquisition answer = stores.leases().acquire(key, Rows.owner(thread), TTL);
            return Answers.is(Acquisition.Granted.class, answer).lease().fence();
        }

        @Override
        public void run() {
            long due = System.nanoTime();
            for (int number = 0; !over; number++) {
                long begun = System.nanoTime();
                call(number);
                of(phase).add(System.nanoTime() - begun);
                due += gap;
                long left = due - System.nanoTime();
                if (left > 0) {
                    java.util.concurrent.locks.LockSupport.parkNanos(left);
                } else {
                    due = System.nanoTime(); // what could not be done is not made up for
                }
            }
        }

        private void call(int number) {
            int i = number % HELD;
            if (number % 10 == 9) {
                granted(new LeaseKey("tick", thread + "-" + number));
                fresh.incrementAndGet();
            } else if (number % 2 == 0) {
                LeaseKey key = LeaseKey.ofWorkflow(workflows[i].id());
                Answers.is(Renewal.Renewed.class, stores.leases().renew(key, fences[i]));
            } else {
                WorkflowState next = workflows[i].revision() % 2 == 1
                        ? States.second(workflows[i].id())
                        : States.first(workflows[i].id());
                Update answer = stores.workflows().updateFenced(workflows[i], next, fences[i]);
                workflows[i] = Answers.is(Update.Updated.class, answer).workflow();
            }
        }
    }
}
