package io.holdfast.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads that make the calls. */
final class Crew implements AutoCloseable {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Backends backends;
    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final int size;
    private volatile boolean exhausted;

    Crew(int size, Backends backends) {
        this.size = size;
        this.backends = backends;
        this.threads = Executors.newFixedThreadPool(size);
        this.start = new CyclicBarrier(size);
    }

    int size() {
        return size;
    }

    /** Goes on with a shift for so long, or until a thread has made {@code most} calls: then all stop. */
    void run(Shift shift, long nanos, int most) {
        exhausted = false;
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int thread = 0; thread < size; thread++) {
            int number = thread;
            tasks.add(() -> slice(shift, number, nanos, most));
        }
        long server = backends.cpuNanos();
        long begun = System.nanoTime();
        long ended = begun;
        try {
            for (Future<Long> end : threads.invokeAll(tasks)) {
                ended = Math.max(ended, end.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        shift.nanos += ended - begun;
        shift.serverNanos += backends.cpuNanos() - server;
    }

    private long slice(Shift shift, int thread, long nanos, int most) throws Exception {
        Operation.Call call = shift.calls[thread];
        start.await();
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long cpu = THREADS.getCurrentThreadCpuTime();
        long now = System.nanoTime();
        long stop = now + nanos;
        while (now < stop && !exhausted) {
            int number = (int) shift.done[thread];
            if (number == most) {
                exhausted = true;
                break;
            }
            call.make(number);
            long after = System.nanoTime();
            shift.record(thread, after - now);
            now = after;
        }
        shift.cpuNanos[thread] += THREADS.getCurrentThreadCpuTime() - cpu;
        shift.allocated[thread] += THREADS.getCurrentThreadAllocatedBytes() - allocated;
        return now;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
