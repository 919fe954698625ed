package io.holdfast.repository;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * Renews all leases that a process holds, in one statement per interval (and per thousand leases), and tells a worker when it
 * must stop: by a flag, {@link KeptLease#isHeld}, and by a callback. One for a process, kept for its life.
 *
 * <pre>{@code
 * Keeping answer = keeper.acquire(holdfast.in(scope), LeaseKey.ofWorkflow(id), owner, ttl, lost -> worker.interrupt());
 * if (answer instanceof Keeping.Kept kept) {
 *     try (KeptLease lease = kept.lease()) {
 *         while (lease.isHeld() && more()) {
 *             work(lease.fence());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p><b>Giving up.</b> A lease that cannot be renewed is given up by the local monotonic clock, a margin before the database
 * would: its time is counted from before the request was sent. A silent database, a full pool, a locked row or any exception
 * only means that the keeper tries again, sooner, while there is time. A lease once given up is never taken up again. The
 * flag needs no thread; the callback has a thread that no database call can hold up.
 *
 * <p>What the local clock cannot know: on Linux it stands still while the whole machine is suspended. The flag and the
 * callback make a worker stop early; that a late write is refused is the fence's doing.
 *
 * <p><b>Connections.</b> Renewals need one connection that busy workers cannot take. {@link #open(Settings)} has it; over a
 * host's data source or facade, give the keeper one of its own, whose driver bounds the wait for an answer (its {@code
 * socketTimeout}): from a connection that died without a word, no other bound frees the renewing thread. Acquiring and
 * releasing go through the workers' stores. Keep the command timeout well under the shortest ttl: a renewal that hangs for
 * as long as the ttl is the last one.
 *
 * <p><b>Callbacks</b> are called once for each lease that is lost, given up, or still kept when the keeper is closed, on a
 * thread of their own. One that is slow or throws disturbs neither renewals nor, up to {@value #CALLBACK_THREADS} at a time,
 * other callbacks.
 */
public final class LeaseKeeper implements AutoCloseable {

    static final int CALLBACK_THREADS = 16;

    private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());
    private static final long START = TimeUnit.SECONDS.toNanos(3);

    private final Map<LeaseHolding, KeptLease> kept = new ConcurrentHashMap<>();
    private final LeaseKeeperSettings settings;
    private final LongSupplier nanoTime;
    private final Executor executor;
    private final Runnable closing;
    private final Observing watched;
    private final KeeperLoop renewing;
    private final KeeperLoop watching;
    private volatile boolean closed;

    private LeaseKeeper(Holdfast own, LeaseKeeperSettings settings, LongSupplier nanoTime, Runnable closing) {
        this.watched = own.watched();
        this.settings = settings;
        this.nanoTime = nanoTime;
        KeeperThreads threads = settings.executor().isPresent()
                ? KeeperThreads.of(settings.executor().get())
                : KeeperThreads.madeBy(settings.threads());
        this.executor = threads.executor();
        this.closing = () -> {
            closing.run();
            threads.close();
        };
        this.renewing =
                new KeeperLoop(new KeeperRenewals(own, kept.values(), nanoTime)::pass, this::interrupted, nanoTime);
        this.watching = new KeeperLoop(this::watch, this::interrupted, nanoTime);
    }

    /** Opens a connection of the keeper's own: as {@link Holdfast#open(Settings)} with a pool of one. */
    public static LeaseKeeper open(Settings database) {
        return open(database, LeaseKeeperSettings.DEFAULT);
    }

    /** Opens a connection of the keeper's own: as {@link Holdfast#open(Settings)} with a pool of one. */
    public static LeaseKeeper open(Settings database, LeaseKeeperSettings settings) {
        Given.value("settings", settings);
        Holdfast own = Holdfast.open(Given.value("database", database).withPoolSize(1));
        return start(own, settings, System::nanoTime, own::close);
    }

    /** Over the host's data source, which workers should not share. Closing does not close it. */
    public static LeaseKeeper open(DataSource dataSource, Settings database, LeaseKeeperSettings settings) {
        Given.value("settings", settings);
        Holdfast own = Holdfast.open(dataSource, Given.value("database", database));
        return start(own, settings, System::nanoTime, own::close);
    }

    /** Over a facade that commits by itself, on connections that workers should not share. Closing does not close it. */
    public static LeaseKeeper over(Holdfast own) {
        return over(own, LeaseKeeperSettings.DEFAULT);
    }

    /**
     * Over a facade that commits by itself, on connections that workers should not share. Closing does not close it.
     *
     * @throws InvalidValueException if the facade takes part in a caller's transaction, or the executor does not start two
     *     tasks within 3 seconds
     */
    public static LeaseKeeper over(Holdfast own, LeaseKeeperSettings settings) {
        return start(Given.value("own", own), Given.value("settings", settings), System::nanoTime, () -> {});
    }

    static LeaseKeeper start(Holdfast own, LeaseKeeperSettings settings, LongSupplier nanoTime, Runnable closing) {
        Holdfast watched = settings.observer().map(own::observed).orElse(own);
        LeaseKeeper keeper = new LeaseKeeper(watched, settings, nanoTime, closing);
        try {
            requireOwn("own", own.open());
            keeper.start();
            keeper.watched.keeps(keeper);
            return keeper;
        } catch (RuntimeException | Error e) {
            keeper.close();
            throw e;
        }
    }

    /**
     * Acquires a lease as {@code Leases.acquire} does, and keeps it.
     *
     * <p>Two at once: one is {@code Kept}, the other {@code Busy}. The same owner again is granted again: the handle that it
     * had is lost.
     *
     * @param stores the worker's, of a facade that commits by itself
     * @param onLost called at most once, when the worker must stop and did not itself say so
     * @throws InvalidValueException if the ttl leaves no time for the keeper's interval and margin, or the stores take part in
     *     a caller's transaction: a grant that is not committed cannot be renewed. Nothing was written
     */
    public Keeping acquire(Stores stores, LeaseKey key, String owner, Duration ttl, Consumer<KeptLease> onLost) {
        requireOpen();
        Given.value("onLost", onLost);
        requireOwn("stores", Given.value("stores", stores).transactions());
        LeaseKeeperSettings.Pace pace = settings.pace(ttl);
        long askedAt = nanoTime.getAsLong();
        Acquisition answer = stores.leases().acquire(key, owner, ttl);
        if (answer instanceof Acquisition.Busy busy) {
            return new Keeping.Busy(busy.retryAfter());
        }
        Lease lease = ((Acquisition.Granted) answer).lease();
        if (nanoTime.getAsLong() - askedAt > pace.interval()) {
            // Granted after a long wait; how much of it came after the grant is not known. Asked again.
            long askedAgainAt = nanoTime.getAsLong();
            if (stores.leases().renew(key, lease.fence()) instanceof Renewal.Renewed renewed) {
                askedAt = askedAgainAt;
                lease = renewed.lease();
            }
        }
        return new Keeping.Kept(keep(stores, lease, askedAt, onLost));
    }

    /**
     * Keeps a lease that was acquired by other means. {@link #acquire} is simpler.
     *
     * @param stores of the lease's scope, of a facade that commits by itself; the handle releases through them
     * @param lease as the database answered, and committed
     * @param askedAt {@link System#nanoTime()} from before it was acquired, or last renewed
     * @param onLost called at most once, when the worker must stop and did not itself say so; at once if it is too late now
     * @throws InvalidValueException if this lease is kept already, or as for {@link #acquire}
     */
    public KeptLease keep(Stores stores, Lease lease, long askedAt, Consumer<KeptLease> onLost) {
        requireOpen();
        Given.value("lease", lease);
        Given.value("onLost", onLost);
        requireOwn("stores", Given.value("stores", stores).transactions());
        if (askedAt - nanoTime.getAsLong() > 0) {
            throw new InvalidValueException("askedAt", "be System.nanoTime() from before the lease was asked for");
        }
        KeptLease handle =
                new KeptLease(stores, lease, askedAt, settings.pace(lease.ttl()), nanoTime, onLost, this::ended);
        long due = handle.due();
        if (kept.putIfAbsent(handle.holding(), handle) != null) {
            throw new InvalidValueException("lease", "not be kept already");
        }
        long now = nanoTime.getAsLong();
        watching.noLaterThan(now + handle.nanosLeft());
        renewing.noLaterThan(due);
        if (closed) {
            handle.end(KeptLease.End.KEEPER_CLOSED);
        }
        return handle;
    }

    /** Whether it still renews: false once it is closed, also by an interrupt. For a liveness probe; asks no database. */
    public boolean isOpen() {
        return !closed;
    }

    /** What it holds, and how well its renewals keep up. For gauges; asks no database. */
    public KeeperState state() {
        return KeeperState.of(kept.values(), nanoTime.getAsLong());
    }

    /**
     * Stops renewing and closes what the keeper opened; a second time does nothing. Leases that are still kept end for their
     * workers at once, with a callback, but are not released: a worker may be in the middle of a write. They expire by
     * themselves. So on shutdown let workers finish and release, and close the keeper after them.
     */
    @Override
    public void close() {
        closed = true;
        renewing.stop();
        watching.stop();
        kept.values().forEach(lease -> lease.end(KeptLease.End.KEEPER_CLOSED));
        closing.run();
    }

    private void start() {
        try {
            executor.execute(watching);
            executor.execute(renewing);
        } catch (RejectedExecutionException e) {
            throw noThreads();
        }
        if (!watching.startsWithin(START) || !renewing.startsWithin(START)) {
            throw noThreads();
        }
    }

    private static InvalidValueException noThreads() {
        return new InvalidValueException("executor", "run two tasks for as long as the keeper is open");
    }

    /** Gives up what has to be, whether or not anybody asks; answers when to come again. */
    private long watch() {
        long wait = KeeperLoop.NOTHING_AHEAD;
        for (KeptLease lease : kept.values()) {
            long left = lease.nanosLeft();
            if (left > 0) {
                wait = Math.min(wait, left);
            }
        }
        return nanoTime.getAsLong() + wait;
    }

    private void ended(KeptLease lease, KeptLease.End end) {
        kept.remove(lease.holding(), lease);
        if (end == KeptLease.End.RELEASED) {
            return;
        }
        if (end == KeptLease.End.GIVEN_UP) {
            LOG.log(System.Logger.Level.WARNING, "{0} was given up: it could not be renewed in time", lease);
        }
        try {
            executor.execute(() -> tell(lease));
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.ERROR, "{0}: no thread to tell its worker; only its flag does", lease);
        }
        watched.lost(end); // after the worker, whom it must not keep waiting
    }

    private static void tell(KeptLease lease) {
        try {
            lease.onLost().accept(lease);
        } catch (Throwable e) {
            // Its text is the application's, and may hold anything.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: its callback failed: {1}",
                    lease,
                    e.getClass().getName());
        }
    }

    private void interrupted() {
        if (!closed) {
            LOG.log(System.Logger.Level.WARNING, "The lease keeper's thread was interrupted: it closes");
            close();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreUnavailableException(false, "This LeaseKeeper has been closed", Map.of("cause", "closed"));
        }
    }

    private static void requireOwn(String field, Transactions transactions) {
        if (transactions.isCallers()) {
            throw new InvalidValueException(
                    field, "come from a facade that commits by itself, not from one in a caller's transaction");
        }
    }
}
