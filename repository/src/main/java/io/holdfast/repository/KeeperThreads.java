package io.holdfast.repository;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Where the keeper's work runs: on threads that are its own and end with it, or on a host's executor. */
record KeeperThreads(Executor executor, Runnable closing) {

    /** One for each of the two loops. */
    private static final int LOOPS = 2;

    static KeeperThreads of(Executor host) {
        return new KeeperThreads(host, () -> {});
    }

    static KeeperThreads madeBy(Optional<ThreadFactory> factory) {
        int most = LOOPS + LeaseKeeper.CALLBACK_THREADS;
        ThreadFactory threads = factory.orElse(KeeperThreads::daemon);
        var pool = new ThreadPoolExecutor(
                most,
                most,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                threads,
                (late, closed) -> threads.newThread(late).start());
        pool.allowCoreThreadTimeOut(true);
        return new KeeperThreads(pool, pool::shutdown);
    }

    /** Callbacks that are waiting are still called, and so is one of a lease that another thread was just about to end. */
    void close() {
        closing.run();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "holdfast-lease-keeper");
        thread.setDaemon(true);
        return thread;
    }
}
