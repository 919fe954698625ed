package io.holdfast.repository;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * How a {@link LeaseKeeper} works. Immutable; every bound is checked when it is made, and again with the ttl of each lease:
 * an interval and a margin that leave no time to renew it are refused before anything is written.
 *
 * @param interval between two renewals of a lease, 0.25 seconds to 8 hours; empty, as by default, for a third of its ttl. A
 *     tenth more or less, at random, so that processes do not renew in step
 * @param margin how long before the database the keeper gives a lease up, 0 to 1 hour; empty, as by default, for a tenth of
 *     its ttl but at least 1 second, and never more than a quarter of the ttl. It covers the time that a worker needs to
 *     stop, and the drift of the two clocks
 * @param threads makes the keeper's threads: two for as long as it is open, and up to {@value LeaseKeeper#CALLBACK_THREADS}
 *     that run callbacks. For a server's {@code ManagedThreadFactory}, or for virtual threads; daemon threads by default
 * @param executor runs the keeper's work instead: two tasks for as long as it is open, and one for each callback. For a
 *     server's {@code ManagedExecutorService}. It must have two threads to spare, and one for callbacks
 * @param observer watches the keeper, besides who watches the facade that it is over; empty by default
 */
public record LeaseKeeperSettings(
        Optional<Duration> interval,
        Optional<Duration> margin,
        Optional<ThreadFactory> threads,
        Optional<Executor> executor,
        Optional<Observer> observer) {

    public static final LeaseKeeperSettings DEFAULT = new LeaseKeeperSettings(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    static final Duration MIN_INTERVAL = Duration.ofMillis(250);
    private static final Duration MAX_INTERVAL = Duration.ofHours(8);
    private static final Duration MAX_MARGIN = Duration.ofHours(1);

    public LeaseKeeperSettings {
        Given.value("interval", interval).ifPresent(value -> {
            if (value.compareTo(MIN_INTERVAL) < 0 || value.compareTo(MAX_INTERVAL) > 0) {
                throw new InvalidValueException("interval", "be 0.25 seconds to 8 hours");
            }
        });
        Given.value("margin", margin).ifPresent(value -> {
            if (value.isNegative() || value.compareTo(MAX_MARGIN) > 0) {
                throw new InvalidValueException("margin", "be 0 to 1 hour");
            }
        });
        Given.value("threads", threads);
        Given.value("executor", executor);
        Given.value("observer", observer);
        if (threads.isPresent() && executor.isPresent()) {
            throw new InvalidValueException("executor", "be left out where threads is given");
        }
    }

    public LeaseKeeperSettings withInterval(Duration value) {
        return new LeaseKeeperSettings(
                Optional.of(Given.value("interval", value)), margin, threads, executor, observer);
    }

    public LeaseKeeperSettings withMargin(Duration value) {
        return new LeaseKeeperSettings(
                interval, Optional.of(Given.value("margin", value)), threads, executor, observer);
    }

    /** Instead of an executor. */
    public LeaseKeeperSettings withThreads(ThreadFactory value) {
        return new LeaseKeeperSettings(
                interval, margin, Optional.of(Given.value("threads", value)), Optional.empty(), observer);
    }

    /** Instead of threads. */
    public LeaseKeeperSettings withExecutor(Executor value) {
        return new LeaseKeeperSettings(
                interval, margin, Optional.empty(), Optional.of(Given.value("executor", value)), observer);
    }

    /** Watches the keeper, and its own pool if it has one; besides who watches a facade that it is over. */
    public LeaseKeeperSettings withObserver(Observer value) {
        return new LeaseKeeperSettings(
                interval, margin, threads, executor, Optional.of(Given.value("observer", value)));
    }

    /** @throws InvalidValueException if a lease of this ttl could not be renewed in time */
    Pace pace(Duration ttl) {
        if (Given.value("ttl", ttl).compareTo(Lease.MIN_TTL) < 0 || ttl.compareTo(Lease.MAX_TTL) > 0) {
            throw new InvalidValueException("ttl", "be 1 second to 1 day");
        }
        Pace pace = new Pace(
                interval.orElse(ttl.dividedBy(3)).toNanos(),
                margin.orElse(usualMargin(ttl)).toNanos());
        if (pace.interval() + pace.interval() / 10 + pace.margin() >= ttl.toNanos()) {
            throw new InvalidValueException("ttl", "be longer than the keeper's interval and margin together");
        }
        return pace;
    }

    private static Duration usualMargin(Duration ttl) {
        Duration tenth = ttl.dividedBy(10);
        Duration second = Duration.ofSeconds(1);
        Duration wanted = tenth.compareTo(second) > 0 ? tenth : second;
        Duration quarter = ttl.dividedBy(4);
        return wanted.compareTo(quarter) < 0 ? wanted : quarter;
    }

    /** What the settings come to for one lease, in nanoseconds. */
    record Pace(long interval, long margin) {}
}
