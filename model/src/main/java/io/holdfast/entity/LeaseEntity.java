package io.holdfast.entity;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of table {@code lease}. It has no version for Hibernate: its token is judged by the statements that lock it. */
@NamedAsMapped
@Entity(name = "HoldfastLease")
@Table(name = "lease")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class LeaseEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "kind", columnDefinition = "text")
            String kind,

            @Convert(disableConversion = true) @Column(name = "id", columnDefinition = "text")
            String id)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "owner", columnDefinition = "text")
    private @Nullable String owner;

    @Convert(disableConversion = true)
    @Column(name = "token", nullable = false)
    private long token;

    @Convert(disableConversion = true)
    @Column(name = "ttl_ms", nullable = false)
    private long ttlMillis;

    @Convert(disableConversion = true)
    @Column(name = "granted_at", nullable = false)
    private Instant grantedAt;

    @Convert(disableConversion = true)
    @Column(name = "expires_at", nullable = false)
    private Instant expiresAt;

    /** For Hibernate. */
    protected LeaseEntity() {}

    public Key getKey() {
        return key;
    }

    public @Nullable String getOwner() {
        return owner;
    }

    public long getToken() {
        return token;
    }

    public long getTtlMillis() {
        return ttlMillis;
    }

    public Instant getGrantedAt() {
        return grantedAt;
    }

    public Instant getExpiresAt() {
        return expiresAt;
    }
}
