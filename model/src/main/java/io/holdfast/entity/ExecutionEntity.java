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

/** A row of table {@code execution}. It has no version for Hibernate: its revision is judged by the statements that lock it. */
@NamedAsMapped
@Entity(name = "HoldfastExecution")
@Table(name = "execution")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class ExecutionEntity {

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
    @Column(name = "kind", nullable = false, columnDefinition = "text")
    private String kind;

    @Convert(disableConversion = true)
    @Column(name = "parent_id", columnDefinition = "text")
    private @Nullable String parentId;

    @Convert(disableConversion = true)
    @Column(name = "origin", nullable = false, columnDefinition = "text")
    private String origin;

    @Convert(disableConversion = true)
    @Column(name = "definition_digest", nullable = false, columnDefinition = "text")
    private String definitionDigest;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Convert(disableConversion = true)
    @Column(name = "opened_token", nullable = false)
    private long openedToken;

    @Convert(disableConversion = true)
    @JdbcTypeCode(SqlTypes.BOOLEAN) // whatever the host prefers for its own
    @Column(name = "watched", nullable = false)
    private boolean watched;

    @Convert(disableConversion = true)
    @Column(name = "cursor", columnDefinition = "text")
    private @Nullable String cursor;

    @Convert(disableConversion = true)
    @Column(name = "state", nullable = false, columnDefinition = "text")
    private String state;

    @Convert(disableConversion = true)
    @Column(name = "state_version", nullable = false)
    private int stateVersion;

    @Convert(disableConversion = true)
    @Column(name = "journal_version", nullable = false)
    private int journalVersion;

    @Convert(disableConversion = true)
    @Column(name = "revision", nullable = false)
    private long revision;

    @Convert(disableConversion = true)
    @Column(name = "steps", nullable = false)
    private long steps;

    @Convert(disableConversion = true)
    @Column(name = "effects", nullable = false)
    private long effects;

    @Convert(disableConversion = true)
    @Column(name = "events", nullable = false)
    private long events;

    @Convert(disableConversion = true)
    @Column(name = "last_commit", columnDefinition = "text")
    private @Nullable String lastCommit;

    @Convert(disableConversion = true)
    @Column(name = "created_at", nullable = false)
    private Instant createdAt;

    @Convert(disableConversion = true)
    @Column(name = "updated_at", nullable = false)
    private Instant updatedAt;

    @Convert(disableConversion = true)
    @Column(name = "finished_at", insertable = false, updatable = false)
    private @Nullable Instant finishedAt;

    /** For Hibernate. */
    protected ExecutionEntity() {}

    public Key getKey() {
        return key;
    }

    public String getKind() {
        return kind;
    }

    public @Nullable String getParentId() {
        return parentId;
    }

    public String getOrigin() {
        return origin;
    }

    public String getDefinitionDigest() {
        return definitionDigest;
    }

    public String getStatus() {
        return status;
    }

    public long getOpenedToken() {
        return openedToken;
    }

    public boolean isWatched() {
        return watched;
    }

    public @Nullable String getCursor() {
        return cursor;
    }

    public String getState() {
        return state;
    }

    public int getStateVersion() {
        return stateVersion;
    }

    public int getJournalVersion() {
        return journalVersion;
    }

    public long getRevision() {
        return revision;
    }

    public long getSteps() {
        return steps;
    }

    public long getEffects() {
        return effects;
    }

    public long getEvents() {
        return events;
    }

    public @Nullable String getLastCommit() {
        return lastCommit;
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
