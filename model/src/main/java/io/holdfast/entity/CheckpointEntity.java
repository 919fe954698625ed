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
import java.util.UUID;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of table {@code checkpoint}. It has no version for Hibernate: its revision is judged by the statement that locks it. */
@NamedAsMapped
@Entity(name = "HoldfastCheckpoint")
@Table(name = "checkpoint")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class CheckpointEntity {

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

    @JdbcTypeCode(SqlTypes.UUID)
    @Convert(disableConversion = true)
    @Column(name = "incarnation", nullable = false)
    private UUID incarnation;

    @Convert(disableConversion = true)
    @Column(name = "parent_run_id", columnDefinition = "text")
    private @Nullable String parentRunId;

    @Convert(disableConversion = true)
    @Column(name = "path", nullable = false, columnDefinition = "text")
    private String path;

    @Convert(disableConversion = true)
    @Column(name = "forked_run_id", columnDefinition = "text")
    private @Nullable String forkedRunId;

    @Convert(disableConversion = true)
    @Column(name = "forked_revision")
    private @Nullable Long forkedRevision;

    @Convert(disableConversion = true)
    @Column(name = "forked_steps")
    private @Nullable Integer forkedSteps;

    @JdbcTypeCode(SqlTypes.BOOLEAN) // whatever the host prefers for its own
    @Convert(disableConversion = true)
    @Column(name = "forked_changed")
    private @Nullable Boolean forkedChanged;

    @Convert(disableConversion = true)
    @Column(name = "definition_hash", nullable = false, columnDefinition = "text")
    private String definitionHash;

    @Convert(disableConversion = true)
    @Column(name = "definition_version", columnDefinition = "text")
    private @Nullable String definitionVersion;

    @Convert(disableConversion = true)
    @Column(name = "started_version", columnDefinition = "text")
    private @Nullable String startedVersion;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Convert(disableConversion = true)
    @Column(name = "node", columnDefinition = "text")
    private @Nullable String node;

    @Convert(disableConversion = true)
    @Column(name = "steps", nullable = false)
    private int steps;

    @Convert(disableConversion = true)
    @Column(name = "waiting_for", columnDefinition = "text")
    private @Nullable String waitingFor;

    @Convert(disableConversion = true)
    @Column(name = "waiting_ids", columnDefinition = "text")
    private @Nullable String waitingIds;

    @Convert(disableConversion = true)
    @Column(name = "revision", nullable = false)
    private long revision;

    @Convert(disableConversion = true)
    @Column(name = "history_from", nullable = false)
    private long historyFrom;

    @Convert(disableConversion = true)
    @Column(name = "created_at", nullable = false)
    private Instant createdAt;

    @Convert(disableConversion = true)
    @Column(name = "updated_at", nullable = false)
    private Instant updatedAt;

    @Convert(disableConversion = true)
    @Column(name = "finished_at")
    private @Nullable Instant finishedAt;

    /** For Hibernate. */
    protected CheckpointEntity() {}

    public Key getKey() {
        return key;
    }

    public UUID getIncarnation() {
        return incarnation;
    }

    public @Nullable String getParentRunId() {
        return parentRunId;
    }

    public String getPath() {
        return path;
    }

    public @Nullable String getForkedRunId() {
        return forkedRunId;
    }

    public @Nullable Long getForkedRevision() {
        return forkedRevision;
    }

    public @Nullable Integer getForkedSteps() {
        return forkedSteps;
    }

    public @Nullable Boolean getForkedChanged() {
        return forkedChanged;
    }

    public String getDefinitionHash() {
        return definitionHash;
    }

    public @Nullable String getDefinitionVersion() {
        return definitionVersion;
    }

    public @Nullable String getStartedVersion() {
        return startedVersion;
    }

    public String getStatus() {
        return status;
    }

    public @Nullable String getNode() {
        return node;
    }

    public int getSteps() {
        return steps;
    }

    public @Nullable String getWaitingFor() {
        return waitingFor;
    }

    public @Nullable String getWaitingIds() {
        return waitingIds;
    }

    public long getRevision() {
        return revision;
    }

    public long getHistoryFrom() {
        return historyFrom;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public Instant getUpdatedAt() {
        return updatedAt;
    }

    public @Nullable Instant getFinishedAt() {
        return finishedAt;
    }
}
