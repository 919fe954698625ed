package io.holdfast.lease;

import io.holdfast.codec.Given;
import java.time.Duration;
import java.time.Instant;

/**
 * A lease as the database had it when it answered.
 *
 * @param key what is leased
 * @param fence who holds it, with which token
 * @param ttl for how long it is granted, and renewed each time
 * @param grantedAt when this token was granted, by the database's clock
 * @param expiresAt when it ends unless it is renewed, by the database's clock; do not compare it with a local clock
 * @param remaining how much of it was left at the answer, by the database's clock; zero or less once it has expired
 */
public record Lease(LeaseKey key, Fence fence, Duration ttl, Instant grantedAt, Instant expiresAt, Duration remaining) {

    /** The shortest ttl. */
    public static final Duration MIN_TTL = Duration.ofSeconds(1);

    /** The longest ttl. */
    public static final Duration MAX_TTL = Duration.ofDays(1);

    public Lease {
        Given.value("key", key);
        Given.value("fence", fence);
        Given.value("ttl", ttl);
        Given.value("grantedAt", grantedAt);
        Given.value("expiresAt", expiresAt);
        Given.value("remaining", remaining);
    }

    /** Whether it was still held when the database answered. It may have ended since: only a fenced write knows. */
    public boolean isLive() {
        return remaining.compareTo(Duration.ZERO) > 0;
    }
}
