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
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of table {@code approval}. It has no version for Hibernate: it is judged by the statements that lock it. */
@NamedAsMapped
@Entity(name = "HoldfastApproval")
@Table(name = "approval")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class ApprovalEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "id", columnDefinition = "text")
            String id)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "run_id", nullable = false, columnDefinition = "text")
    private String runId;

    @Convert(disableConversion = true)
    @Column(name = "payload", nullable = false, columnDefinition = "text")
    private String payload;

    @Convert(disableConversion = true)
    @Column(name = "digest", nullable = false, columnDefinition = "text")
    private String digest;

    @Convert(disableConversion = true)
    @Column(name = "role", columnDefinition = "text")
    private @Nullable String role;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Convert(disableConversion = true)
    @Column(name = "created_at", nullable = false)
    private Instant createdAt;

    @Convert(disableConversion = true)
    @Column(name = "valid_ms")
    private @Nullable Long validMillis;

    @Convert(disableConversion = true)
    @Column(name = "expires_at")
    private @Nullable Instant expiresAt;

    @Convert(disableConversion = true)
    @Column(name = "verdict", columnDefinition = "text")
    private @Nullable String verdict;

    @Convert(disableConversion = true)
    @Column(name = "decided_by", columnDefinition = "text")
    private @Nullable String decidedBy;

    @Convert(disableConversion = true)
    @Column(name = "decided_as", columnDefinition = "text")
    private @Nullable String decidedAs;

    @Convert(disableConversion = true)
    @Column(name = "decided_reason", columnDefinition = "text")
    private @Nullable String decidedReason;

    @Convert(disableConversion = true)
    @Column(name = "answer", columnDefinition = "text")
    private @Nullable String answer;

    @Convert(disableConversion = true)
    @Column(name = "decided_at")
    private @Nullable Instant decidedAt;

    @Convert(disableConversion = true)
    @Column(name = "consumed_by", columnDefinition = "text")
    private @Nullable String consumedBy;

    @Convert(disableConversion = true)
    @Column(name = "consumed_token")
    private @Nullable Long consumedToken;

    @Convert(disableConversion = true)
    @Column(name = "consumed_at")
    private @Nullable Instant consumedAt;

    @Convert(disableConversion = true)
    @Column(name = "withdrawn_by", columnDefinition = "text")
    private @Nullable String withdrawnBy;

    @Convert(disableConversion = true)
    @Column(name = "withdrawn_reason", columnDefinition = "text")
    private @Nullable String withdrawnReason;

    @Convert(disableConversion = true)
    @Column(name = "withdrawn_at")
    private @Nullable Instant withdrawnAt;

    @Convert(disableConversion = true)
    @JdbcTypeCode(SqlTypes.BOOLEAN) // whatever the host prefers for its own
    @Column(name = "heard", nullable = false)
    private boolean heard;

    /** For Hibernate. */
    protected ApprovalEntity() {}

    public Key getKey() {
        return key;
    }

    public String getRunId() {
        return runId;
    }

    public String getPayload() {
        return payload;
    }

    public String getDigest() {
        return digest;
    }

    public @Nullable String getRole() {
        return role;
    }

    public String getStatus() {
        return status;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public @Nullable Long getValidMillis() {
        return validMillis;
    }

    public @Nullable Instant getExpiresAt() {
        return expiresAt;
    }

    public @Nullable String getVerdict() {
        return verdict;
    }

    public @Nullable String getDecidedBy() {
        return decidedBy;
    }

    public @Nullable String getDecidedAs() {
        return decidedAs;
    }

    public @Nullable String getDecidedReason() {
        return decidedReason;
    }

    public @Nullable String getAnswer() {
        return answer;
    }

    public @Nullable Instant getDecidedAt() {
        return decidedAt;
    }

    public @Nullable String getConsumedBy() {
        return consumedBy;
    }

    public @Nullable Long getConsumedToken() {
        return consumedToken;
    }

    public @Nullable Instant getConsumedAt() {
        return consumedAt;
    }

    public @Nullable String getWithdrawnBy() {
        return withdrawnBy;
    }

    public @Nullable String getWithdrawnReason() {
        return withdrawnReason;
    }

    public @Nullable Instant getWithdrawnAt() {
        return withdrawnAt;
    }

    public boolean isHeard() {
        return heard;
    }
}
