package io.holdfast.repository;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** A task of the keeper that runs pass after pass until it is stopped, and says after each when the next is due. */
final class KeeperLoop implements Runnable {

    private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());

    /** A pass with nothing ahead says so. */
    static final long NOTHING_AHEAD = TimeUnit.HOURS.toNanos(1);

    private static final long AFTER_AN_ERROR = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_WAIT = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongSupplier pass;
    private final Runnable onInterrupt;
    private final LongSupplier nanoTime;
    private final CountDownLatch started = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long next;
    private boolean stopped;

    /**
     * @param pass answers the monotonic time of the next pass
     * @param onInterrupt a host that interrupts wants its thread back
     */
    KeeperLoop(LongSupplier pass, Runnable onInterrupt, LongSupplier nanoTime) {
        this.pass = pass;
        this.onInterrupt = onInterrupt;
        this.nanoTime = nanoTime;
    }

    @Override
    public void run() {
        started.countDown();
        try {
            while (begins()) {
                waitUntil(pass());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            onInterrupt.run();
        }
    }

    boolean startsWithin(long nanos) {
        try {
            return started.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes the next pass start no later than that. */
    void noLaterThan(long time) {
        lock.lock();
        try {
            if (time - next < 0) {
                next = time;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** From here on {@link #noLaterThan} counts for the wait after this pass, which may look before that is known. */
    private boolean begins() {
        lock.lock();
        try {
            next = nanoTime.getAsLong() + NOTHING_AHEAD;
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    private long pass() {
        try {
            return pass.getAsLong();
        } catch (Throwable e) {
            // Whatever it is: a keeper that dies silently is worse.
            LOG.log(
                    System.Logger.Level.ERROR,
                    "A pass of the lease keeper failed: {0}",
                    e.getClass().getName());
            return nanoTime.getAsLong() + AFTER_AN_ERROR;
        }
    }

    private void waitUntil(long time) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (time - next < 0) {
                next = time;
            }
            for (long left = left(); left > 0 && !stopped; left = left()) {
                changed.awaitNanos(Math.max(left, SHORTEST_WAIT));
            }
        } finally {
            lock.unlock();
        }
    }

    private long left() {
        return next - nanoTime.getAsLong();
    }
}
