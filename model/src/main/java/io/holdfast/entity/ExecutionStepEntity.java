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

/** A row of table {@code execution_step}. */
@NamedAsMapped
@Entity(name = "HoldfastExecutionStep")
@Table(name = "execution_step")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class ExecutionStepEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "run_id", columnDefinition = "text")
            String runId,

            @Convert(disableConversion = true) @Column(name = "step_key", columnDefinition = "text")
            String stepKey)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "ordinal", nullable = false)
    private long ordinal;

    @Convert(disableConversion = true)
    @Column(name = "payload_digest", columnDefinition = "text")
    private @Nullable String payloadDigest;

    @Convert(disableConversion = true)
    @Column(name = "idempotency_key", columnDefinition = "text")
    private @Nullable String idempotencyKey;

    @Convert(disableConversion = true)
    @Column(name = "effect_class", columnDefinition = "text")
    private @Nullable String effectClass;

    @Convert(disableConversion = true)
    @Column(name = "approval_id", columnDefinition = "text")
    private @Nullable String approvalId;

    @Convert(disableConversion = true)
    @Column(name = "reservations", columnDefinition = "text")
    private @Nullable String reservations;

    @Convert(disableConversion = true)
    @Column(name = "intended_at")
    private @Nullable Instant intendedAt;

    @Convert(disableConversion = true)
    @Column(name = "outcome", columnDefinition = "text")
    private @Nullable String outcome;

    @Convert(disableConversion = true)
    @Column(name = "output", columnDefinition = "text")
    private @Nullable String output;

    @Convert(disableConversion = true)
    @Column(name = "ended_at")
    private @Nullable Instant endedAt;

    /** For Hibernate. */
    protected ExecutionStepEntity() {}

    public Key getKey() {
        return key;
    }

    public long getOrdinal() {
        return ordinal;
    }

    public @Nullable String getPayloadDigest() {
        return payloadDigest;
    }

    public @Nullable String getIdempotencyKey() {
        return idempotencyKey;
    }

    public @Nullable String getEffectClass() {
        return effectClass;
    }

    public @Nullable String getApprovalId() {
        return approvalId;
    }

    public @Nullable String getReservations() {
        return reservations;
    }

    public @Nullable Instant getIntendedAt() {
        return intendedAt;
    }

    public @Nullable String getOutcome() {
        return outcome;
    }

    public @Nullable String getOutput() {
        return output;
    }

    public @Nullable Instant getEndedAt() {
        return endedAt;
    }
}
