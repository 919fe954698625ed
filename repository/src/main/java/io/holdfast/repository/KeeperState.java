package io.holdfast.repository;

import java.time.Duration;
import java.util.Optional;

/**
 * How a {@link LeaseKeeper} stands, by the local monotonic clock. For gauges and alarms; asks no database.
 *
 * @param held the leases that it keeps
 * @param renewalLag for how long the most overdue renewal has been due; zero, or some milliseconds, while all is well
 * @param untilNextLoss until the first lease is given up if none is renewed; empty while none is kept
 */
public record KeeperState(int held, Duration renewalLag, Optional<Duration> untilNextLoss) {}
