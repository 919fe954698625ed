package io.holdfast.bench.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lease. It has no version, so whoever changes one locks it. */
@Entity
@Table(schema = "holdfast", name = "lease")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class LeaseRow {

    @Embeddable
    public record Key(
            @Column(name = "scope") String scope,
            @Column(name = "kind") String kind,
            @Column(name = "id") String id) implements Serializable {}

    @EmbeddedId
    private Key key;

    @Column(name = "owner")
    private @Nullable String owner;

    @Column(name = "token")
    private long token;

    @Column(name = "ttl_ms")
    private long ttlMillis;

    @Column(name = "granted_at")
    private Instant grantedAt;

    @Column(name = "expires_at")
    private Instant expiresAt;

    protected LeaseRow() {}

    public LeaseRow(Key key, String owner, Duration ttl, Instant now) {
        this.key = key;
        grant(owner, ttl, now);
    }

    public Key getKey() {
        return key;
    }

    public final void grant(String to, Duration ttl, Instant now) {
        owner = to;
        token++;
        ttlMillis = ttl.toMillis();
        grantedAt = now;
        expiresAt = now.plusMillis(ttlMillis);
    }

    public void renew(Instant now) {
        expiresAt = now.plusMillis(ttlMillis);
    }

    public void free(Instant now) {
        owner = null;
        expiresAt = now;
    }

    public boolean isHeldBy(String by, long under, Instant now) {
        return by.equals(owner) && token == under && expiresAt.isAfter(now);
    }

    public boolean isFree(Instant now) {
        return owner == null || !expiresAt.isAfter(now);
    }

    public long getToken() {
        return token;
    }

    public Duration getTtl() {
        return Duration.ofMillis(ttlMillis);
    }

    public Instant getGrantedAt() {
        return grantedAt;
    }

    public Instant getExpiresAt() {
        return expiresAt;
    }
}
