package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lease that a {@link LeaseKeeper} renews. Thread-safe.
 *
 * <p>{@link #isHeld} is a courtesy to the worker, so that it stops early: before an effect outside the database, and every
 * now and then in a long loop. The {@link #fence} is the truth: a write that shows it is judged by the database, whatever
 * this handle says.
 */
public final class KeptLease implements AutoCloseable {

    /** Why a lease is not held any more. */
    public enum End {
        /** The database said so: somebody took it over, it expired there, or it was released by other means. */
        LOST,
        /** It could not be renewed in time; by the database's clock it may still be held for the margin. */
        GIVEN_UP,
        /** By the worker, through this handle. */
        RELEASED,
        /** The keeper was closed, and nobody renews it. */
        KEEPER_CLOSED
    }

    private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());

    /**
     * How it stands. One value, replaced as one: whoever has seen the deadline pass has ended it, and a renewal that was
     * answered too late finds that and revives nothing.
     *
     * @param deadline by the local monotonic clock
     * @param kept whether the keeper still looks after it
     */
    private record Term(
            long deadline, boolean kept, @Nullable End end) {}

    private final LeaseHolding holding;
    private final Leases leases;
    private final LeaseKeeperSettings.Pace pace;
    private final LongSupplier nanoTime;
    private final Consumer<KeptLease> onLost;
    private final BiConsumer<KeptLease, End> onEnd;
    private final AtomicReference<Term> term;

    /** When it should have been renewed again; later tries after failures do not put it off. */
    private volatile long wanted;

    /** When to renew it next, and how often that has failed in a row; for the renewing thread alone. */
    private long due;

    private int failures;

    /**
     * @param askedAt the monotonic time from before the lease was asked for
     * @param onEnd told once, when the keeper has nothing more to do for it
     */
    KeptLease(
            Stores stores,
            Lease lease,
            long askedAt,
            LeaseKeeperSettings.Pace pace,
            LongSupplier nanoTime,
            Consumer<KeptLease> onLost,
            BiConsumer<KeptLease, End> onEnd) {
        this.holding = new LeaseHolding(stores.scope(), lease.key(), lease.fence());
        this.leases = stores.leases();
        this.pace = pace;
        this.nanoTime = nanoTime;
        this.onLost = onLost;
        this.onEnd = onEnd;
        this.term = new AtomicReference<>(new Term(deadline(askedAt, lease.remaining()), true, null));
        this.due = askedAt + pace.interval();
        this.wanted = due;
    }

    public Scope scope() {
        return holding.scope();
    }

    public LeaseKey key() {
        return holding.key();
    }

    /** What to show with each write. */
    public Fence fence() {
        return holding.fence();
    }

    /**
     * Whether the worker may go on. Once {@code false} it stays so. Asks the local monotonic clock and nobody else: right
     * also while the database is silent, and at once after a pause of the process.
     */
    public boolean isHeld() {
        return nanosLeft() > 0;
    }

    /** How long the worker may go on if no renewal succeeds; zero once it must stop. For timeouts of outside calls. */
    public Duration remaining() {
        return Duration.ofNanos(nanosLeft());
    }

    /** Why it ended; empty while it is held. */
    public Optional<End> end() {
        return isHeld() ? Optional.empty() : Optional.ofNullable(now().end());
    }

    /**
     * Ends it: it is no longer renewed, then freed in the database, so that others need not wait for its expiry. The
     * callback is not called. May be repeated, also after an exception, and is of use after a lease was given up.
     *
     * @return whether it was freed now; {@code false} on a repeat and after a takeover
     * @throws HoldfastException if the database cannot be asked; then the lease ends by itself at its expiry
     */
    public boolean release() {
        for (Term seen = now(); seen.end() == null; seen = now()) {
            if (ended(seen, End.RELEASED)) {
                break;
            }
        }
        return now().end() != End.LOST && leases.release(key(), fence());
    }

    /**
     * Ends the keeping and leaves the lease as it is: held until its time is up, then not, and no callback. Call it before an
     * operation that releases the lease itself, such as a step's end: the keeper would take that for a loss.
     */
    public void stopKeeping() {
        for (Term seen = now(); seen.end() == null && seen.kept(); seen = now()) {
            if (term.compareAndSet(seen, new Term(seen.deadline(), false, null))) {
                onEnd.accept(this, End.RELEASED);
            }
        }
    }

    /** As {@link #release}, but a database that cannot be asked is only logged. */
    @Override
    public void close() {
        try {
            release();
        } catch (HoldfastException e) {
            LOG.log(System.Logger.Level.WARNING, "{0} was not released and will expire: {1}", this, e.getMessage());
        }
    }

    /** Its kind, id and scope. */
    @Override
    public String toString() {
        return "Lease " + key().kind() + " " + key().id() + " of scope \"" + scope().id() + "\"";
    }

    private Term now() {
        return requireNonNull(term.get());
    }

    LeaseHolding holding() {
        return holding;
    }

    Consumer<KeptLease> onLost() {
        return onLost;
    }

    /** Time left by the local clock; whoever finds that there is none has ended it. */
    long nanosLeft() {
        while (true) {
            Term seen = now();
            if (seen.end() != null) {
                return 0;
            }
            long left = seen.deadline() - nanoTime.getAsLong();
            if (left > 0) {
                return left;
            }
            if (ended(seen, End.GIVEN_UP)) {
                return 0;
            }
        }
    }

    /** Ends it unless it has ended, or the keeper was told to leave it alone. */
    boolean end(End end) {
        for (Term seen = now(); seen.end() == null && seen.kept(); seen = now()) {
            if (ended(seen, end)) {
                return true;
            }
        }
        return false;
    }

    private boolean ended(Term from, End end) {
        boolean first = term.compareAndSet(from, new Term(from.deadline(), false, end));
        if (first && from.kept()) {
            onEnd.accept(this, end);
        }
        return first;
    }

    /** The monotonic time from which on its renewal is overdue. */
    long wanted() {
        return wanted;
    }

    // What follows is for the renewing thread.

    long due() {
        return due;
    }

    long interval() {
        return pace.interval();
    }

    /** The database renewed it. Too late by the local clock is too late: the worker may have been told. */
    void renewed(long askedAt, Duration remaining, double jitter) {
        failures = 0;
        due = askedAt + (long) (pace.interval() * jitter);
        wanted = due;
        while (nanosLeft() > 0) {
            Term seen = now();
            long deadline = deadline(askedAt, remaining);
            if (!seen.kept() || deadline - seen.deadline() <= 0) {
                return;
            }
            if (nanoTime.getAsLong() - seen.deadline() < 0
                    && term.compareAndSet(seen, new Term(deadline, true, null))) {
                return;
            }
        }
    }

    /** It was not renewed this time: again soon, then less and less so. */
    void notRenewed(double jitter) {
        long delay = LeaseKeeperSettings.MIN_INTERVAL.toNanos() << Math.min(failures++, 20);
        due = nanoTime.getAsLong() + (long) (Math.min(delay, pace.interval() / 2) * jitter);
    }

    /**
     * The answer came later than the request was sent, so counting from there errs on the safe side. A database whose clock
     * was put back says more than a lease ever has left.
     */
    private long deadline(long askedAt, Duration remaining) {
        Duration most = remaining.compareTo(Lease.MAX_TTL) > 0 ? Lease.MAX_TTL : remaining;
        return askedAt + (most.isNegative() ? 0 : most.toNanos()) - pace.margin();
    }
}
