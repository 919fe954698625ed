package io.holdfast.repository;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Cancels a statement that runs for longer than its query timeout, in place of the driver. The driver's timer wakes a
 * thread for every statement, which costs a tenth of a short one; here one look a second goes over all that are running, and
 * none while nothing runs.
 */
final class Deadline implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private static final Deadline DRIVERS_OWN = new Deadline(null, 0);
    private static final @Nullable Class<? extends java.sql.Statement> DRIVERS_STATEMENT = driversStatement();

    private static final Set<Deadline> AHEAD = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean LOOKING = new AtomicBoolean();

    /** The platform's own thread: one of ours would have to be ended with every facade, and by every host. */
    private static final Executor IN_A_SECOND = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run);

    private final java.sql.@Nullable Statement statement;
    private final long at;
    private final AtomicBoolean cancelling = new AtomicBoolean();
    private final ReentrantLock ending = new ReentrantLock();
    private boolean ended;

    private Deadline(java.sql.@Nullable Statement statement, long at) {
        this.statement = statement;
        this.at = at;
    }

    /**
     * Takes the statement's timeout over from the driver, unless the statement hides the driver's own: a pool's wrapper may
     * lock its connection, and then a cancel would wait for what it should cancel.
     */
    static Deadline of(PreparedStatement prepared) throws SQLException {
        int seconds = prepared.getQueryTimeout();
        if (seconds == 0 || DRIVERS_STATEMENT == null || !prepared.isWrapperFor(DRIVERS_STATEMENT)) {
            return DRIVERS_OWN;
        }
        prepared.setQueryTimeout(0);
        Deadline deadline =
                new Deadline(prepared.unwrap(DRIVERS_STATEMENT), System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
        AHEAD.add(deadline);
        if (!LOOKING.get()) {
            lookInASecond();
        }
        return deadline;
    }

    /** No cancel is sent after that: a pool that keeps prepared statements may give this one to somebody else. */
    @Override
    public void close() {
        if (statement != null) {
            AHEAD.remove(this);
            ending.lock(); // a cancel that is on its way holds the driver's statement back as well
            try {
                ended = true;
            } finally {
                ending.unlock();
            }
        }
    }

    private static void lookInASecond() {
        if (LOOKING.compareAndSet(false, true)) {
            IN_A_SECOND.execute(Deadline::look);
        }
    }

    private static void look() {
        LOOKING.set(false); // before the set is looked at: whoever comes after that sees it and calls for the next look
        long now = System.nanoTime();
        List<Deadline> over = AHEAD.stream()
                .filter(deadline -> deadline.at - now <= 0 && deadline.cancelling.compareAndSet(false, true))
                .toList();
        if (!AHEAD.isEmpty()) {
            lookInASecond();
        }
        if (!over.isEmpty()) {
            cancelAll(over);
        }
    }

    /** On a thread of its own: a cancel connects to the server, and may hang as the statement does. */
    private static void cancelAll(List<Deadline> over) {
        try {
            Thread cancels = new Thread(() -> over.forEach(Deadline::cancel), "holdfast-cancel");
            cancels.setDaemon(true);
            cancels.start();
        } catch (RuntimeException | Error e) {
            over.forEach(deadline -> deadline.cancelling.set(false)); // no thread to be had: the next look tries again
            throw e;
        }
    }

    /** The driver does nothing if the statement has ended, and holds it back from ending while its cancel is on its way. */
    private void cancel() {
        ending.lock();
        try {
            if (statement != null && !ended) {
                statement.cancel();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "A cancel failed: {0}",
                    e.getClass().getName());
        } finally {
            ending.unlock();
            cancelling.set(false); // it may have come too early; then the next look tries again
        }
    }

    /** Null without the driver's class in sight: a server may keep it to itself. */
    private static @Nullable Class<? extends java.sql.Statement> driversStatement() {
        try {
            return Class.forName("org.postgresql.core.BaseStatement", false, Deadline.class.getClassLoader())
                    .asSubclass(java.sql.Statement.class);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
