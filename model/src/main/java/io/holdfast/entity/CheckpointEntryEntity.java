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

/** A row of table {@code checkpoint_entry}. */
@NamedAsMapped
@Entity(name = "HoldfastCheckpointEntry")
@Table(name = "checkpoint_entry")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class CheckpointEntryEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "run_id", columnDefinition = "text")
            String runId,

            @Convert(disableConversion = true) @Column(name = "revision")
            long revision)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "definition_hash", nullable = false, columnDefinition = "text")
    private String definitionHash;

    @Convert(disableConversion = true)
    @Column(name = "definition_version", columnDefinition = "text")
    private @Nullable String definitionVersion;

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
    @Column(name = "state", nullable = false, columnDefinition = "text")
    private String state;

    @Convert(disableConversion = true)
    @Column(name = "details", nullable = false, columnDefinition = "text")
    private String details;

    @Convert(disableConversion = true)
    @Column(name = "saved_at", nullable = false)
    private Instant savedAt;

    /** For Hibernate. */
    protected CheckpointEntryEntity() {}

    public Key getKey() {
        return key;
    }

    public String getDefinitionHash() {
        return definitionHash;
    }

    public @Nullable String getDefinitionVersion() {
        return definitionVersion;
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

    public String getState() {
        return state;
    }

    public String getDetails() {
        return details;
    }

    public Instant getSavedAt() {
        return savedAt;
    }
}
