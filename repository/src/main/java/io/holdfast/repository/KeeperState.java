package io.holdfast.repository;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * How a {@link LeaseKeeper} stands, by the local monotonic clock. For gauges and alarms; asks no database.
 *
 * @param held the leases that it keeps
 * @param renewalLag for how long the most overdue renewal has been due, tried and failed or not yet tried; zero, or some
 *     milliseconds, while all is well
 * @param untilNextLoss until the first lease is given up if none is renewed; empty while none is kept
 */
public record KeeperState(int held, Duration renewalLag, Optional<Duration> untilNextLoss) {

    static KeeperState of(Collection<KeptLease> kept, long now) {
        int held = 0;
        long lag = 0;
        long next = Long.MAX_VALUE;
        for (KeptLease lease : kept) {
            long left = lease.nanosLeft();
            if (left > 0) {
                held++;
                next = Math.min(next, left);
                lag = Math.max(lag, now - lease.wanted());
            }
        }
        return new KeeperState(
                held, Duration.ofNanos(lag), held == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(next)));
    }
}
