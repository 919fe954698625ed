package io.holdfast.entity;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/**
 * A row of table {@code idempotency_key}. The version is the number of its reservation, which begins at the database's clock:
 * a row that was removed and made again is another one, and has none of the versions of the old one.
 */
@NamedAsMapped
@Entity(name = "HoldfastIdempotencyKey")
@Table(name = "idempotency_key")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class IdempotencyEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "key", columnDefinition = "text")
            String key)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Version
    @Column(name = "reservation", nullable = false)
    private long reservation;

    @Convert(disableConversion = true)
    @Column(name = "request_id", nullable = false, columnDefinition = "text")
    private String requestId;

    @Convert(disableConversion = true)
    @Column(name = "workflow_id", nullable = false, columnDefinition = "text")
    private String workflowId;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Convert(disableConversion = true)
    @Column(name = "outcome", columnDefinition = "text")
    private @Nullable String outcome;

    @Convert(disableConversion = true)
    @Column(name = "keep_ms")
    private @Nullable Long keepMillis;

    @Convert(disableConversion = true)
    @Column(name = "created_at", nullable = false)
    private Instant createdAt;

    @Convert(disableConversion = true)
    @Column(name = "updated_at", nullable = false)
    private Instant updatedAt;

    @Convert(disableConversion = true)
    @Column(name = "expires_at")
    private @Nullable Instant expiresAt;

    /** For Hibernate. */
    protected IdempotencyEntity() {}

    public Key getKey() {
        return key;
    }

    public long getReservation() {
        return reservation;
    }

    public String getRequestId() {
        return requestId;
    }

    public String getWorkflowId() {
        return workflowId;
    }

    public String getStatus() {
        return status;
    }

    public @Nullable String getOutcome() {
        return outcome;
    }

    public @Nullable Long getKeepMillis() {
        return keepMillis;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public Instant getUpdatedAt() {
        return updatedAt;
    }

    public @Nullable Instant getExpiresAt() {
        return expiresAt;
    }
}
