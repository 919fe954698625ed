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

/** A row of table {@code agent_checkpoint}. Its revision is judged by the statements that lock it, not by Hibernate. */
@NamedAsMapped
@Entity(name = "HoldfastAgentCheckpoint")
@Table(name = "agent_checkpoint")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class AgentCheckpointEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "run_id", columnDefinition = "text")
            String runId)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Convert(disableConversion = true)
    @Column(name = "revision", nullable = false)
    private long revision;

    @Convert(disableConversion = true)
    @Column(name = "phase", columnDefinition = "text")
    private @Nullable String phase;

    @Convert(disableConversion = true)
    @Column(name = "payload", columnDefinition = "text")
    private @Nullable String payload;

    @Convert(disableConversion = true)
    @Column(name = "token")
    private @Nullable Long token;

    @Convert(disableConversion = true)
    @Column(name = "created_at", nullable = false)
    private Instant createdAt;

    @Convert(disableConversion = true)
    @Column(name = "updated_at", nullable = false)
    private Instant updatedAt;

    /** For Hibernate. */
    protected AgentCheckpointEntity() {}

    public Key getKey() {
        return key;
    }

    public String getStatus() {
        return status;
    }

    public long getRevision() {
        return revision;
    }

    public @Nullable String getPhase() {
        return phase;
    }

    public @Nullable String getPayload() {
        return payload;
    }

    public @Nullable Long getToken() {
        return token;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public Instant getUpdatedAt() {
        return updatedAt;
    }
}
