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

/** A row of table {@code run}. Its revision is judged by the statement that locks the row. */
@NamedAsMapped
@Entity(name = "HoldfastRun")
@Table(name = "run")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class RunEntity {

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

    @JdbcTypeCode(SqlTypes.UUID)
    @Convert(disableConversion = true)
    @Column(name = "incarnation", nullable = false)
    private UUID incarnation;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Convert(disableConversion = true)
    @Column(name = "revision", nullable = false)
    private long revision;

    @Convert(disableConversion = true)
    @Column(name = "last_seq", nullable = false)
    private long lastSeq;

    @Convert(disableConversion = true)
    @Column(name = "input", nullable = false, columnDefinition = "text")
    private String input;

    @Convert(disableConversion = true)
    @Column(name = "state", nullable = false, columnDefinition = "text")
    private String state;

    @Convert(disableConversion = true)
    @Column(name = "metadata", nullable = false, columnDefinition = "text")
    private String metadata;

    @Convert(disableConversion = true)
    @Column(name = "change", columnDefinition = "text")
    private @Nullable String change;

    @Convert(disableConversion = true)
    @Column(name = "created_at", nullable = false)
    private Instant createdAt;

    @Convert(disableConversion = true)
    @Column(name = "updated_at", nullable = false)
    private Instant updatedAt;

    /** For Hibernate. */
    protected RunEntity() {}

    public Key getKey() {
        return key;
    }

    public UUID getIncarnation() {
        return incarnation;
    }

    public String getStatus() {
        return status;
    }

    public long getRevision() {
        return revision;
    }

    public long getLastSeq() {
        return lastSeq;
    }

    public String getInput() {
        return input;
    }

    public String getState() {
        return state;
    }

    public String getMetadata() {
        return metadata;
    }

    public @Nullable String getChange() {
        return change;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public Instant getUpdatedAt() {
        return updatedAt;
    }
}
