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

/** A row of table {@code execution_effect}. */
@NamedAsMapped
@Entity(name = "HoldfastExecutionEffect")
@Table(name = "execution_effect")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class ExecutionEffectEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "run_id", columnDefinition = "text")
            String runId,

            @Convert(disableConversion = true) @Column(name = "effect_id", columnDefinition = "text")
            String effectId)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "ordinal", nullable = false)
    private long ordinal;

    @Convert(disableConversion = true)
    @Column(name = "step_key", nullable = false, columnDefinition = "text")
    private String stepKey;

    @Convert(disableConversion = true)
    @Column(name = "index", nullable = false)
    private int index;

    @Convert(disableConversion = true)
    @Column(name = "idempotency_key", nullable = false, columnDefinition = "text")
    private String idempotencyKey;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Convert(disableConversion = true)
    @Column(name = "result", columnDefinition = "text")
    private @Nullable String result;

    @Convert(disableConversion = true)
    @Column(name = "resolution", columnDefinition = "text")
    private @Nullable String resolution;

    @Convert(disableConversion = true)
    @Column(name = "resolved_by", columnDefinition = "text")
    private @Nullable String resolvedBy;

    @Convert(disableConversion = true)
    @Column(name = "created_at", nullable = false)
    private Instant createdAt;

    @Convert(disableConversion = true)
    @Column(name = "updated_at", nullable = false)
    private Instant updatedAt;

    /** For Hibernate. */
    protected ExecutionEffectEntity() {}

    public Key getKey() {
        return key;
    }

    public long getOrdinal() {
        return ordinal;
    }

    public String getStepKey() {
        return stepKey;
    }

    public int getIndex() {
        return index;
    }

    public String getIdempotencyKey() {
        return idempotencyKey;
    }

    public String getStatus() {
        return status;
    }

    public @Nullable String getResult() {
        return result;
    }

    public @Nullable String getResolution() {
        return resolution;
    }

    public @Nullable String getResolvedBy() {
        return resolvedBy;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public Instant getUpdatedAt() {
        return updatedAt;
    }
}
