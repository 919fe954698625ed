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
import java.util.Map;
import java.util.UUID;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Type;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of table {@code workflow}. */
@NamedAsMapped
@Entity(name = "HoldfastWorkflow")
@Table(name = "workflow")
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class WorkflowEntity {

    /**
     * Scope first: one tenant is one range. The incarnation is here so that it is in the {@code where} of every update: a row
     * that was removed and made again is another one. ({@code @PartitionKey} says the same, but a stateless session of
     * Hibernate 7.1 or 7.2 fails on it.)
     */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "id", columnDefinition = "text")
            String id,

            @JdbcTypeCode(SqlTypes.UUID) @Convert(disableConversion = true) @Column(name = "incarnation")
            UUID incarnation)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "request_id", nullable = false, updatable = false, columnDefinition = "text")
    private String requestId;

    @Convert(disableConversion = true)
    @Column(name = "status", nullable = false, columnDefinition = "text")
    private String status;

    @Version
    @Column(name = "revision", nullable = false)
    private long revision;

    @Convert(disableConversion = true)
    @Column(name = "snapshot", nullable = false, columnDefinition = "text")
    private String snapshot;

    @Type(LabelsType.class)
    @Column(name = "labels", nullable = false, updatable = false, columnDefinition = "jsonb")
    private Map<String, String> labels;

    // Not writable by an update of the state, so that none can lose a request.
    @Convert(disableConversion = true)
    @Column(name = "cancel_requested_at", insertable = false, updatable = false)
    private @Nullable Instant cancelRequestedAt;

    @Convert(disableConversion = true)
    @Column(name = "cancel_reason", insertable = false, updatable = false, columnDefinition = "text")
    private @Nullable String cancelReason;

    @Convert(disableConversion = true)
    @Column(name = "created_at", insertable = false, updatable = false)
    private Instant createdAt;

    // The database's clock on every update. Not @Generated: a stateless session would fetch the value and drop it.
    @ColumnTransformer(write = "coalesce(cast(? as timestamptz), clock_timestamp())")
    @Convert(disableConversion = true)
    @Column(name = "updated_at", insertable = false)
    private @Nullable Instant updatedAt;

    @Convert(disableConversion = true)
    @Column(name = "finished_at", insertable = false, updatable = false)
    private @Nullable Instant finishedAt;

    /** For Hibernate. */
    protected WorkflowEntity() {}

    /** What follows on the revision that was read; for {@code StatelessSession.update}. */
    public WorkflowEntity(Key key, long readRevision, String status, String snapshot) {
        this.key = key;
        this.revision = readRevision;
        this.status = status;
        this.snapshot = snapshot;
    }

    public Key getKey() {
        return key;
    }

    public UUID getIncarnation() {
        return key.incarnation();
    }

    public String getRequestId() {
        return requestId;
    }

    public String getStatus() {
        return status;
    }

    public long getRevision() {
        return revision;
    }

    public String getSnapshot() {
        return snapshot;
    }

    public Map<String, String> getLabels() {
        return labels;
    }

    public @Nullable Instant getCancelRequestedAt() {
        return cancelRequestedAt;
    }

    public @Nullable String getCancelReason() {
        return cancelReason;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public @Nullable Instant getUpdatedAt() {
        return updatedAt;
    }

    public @Nullable Instant getFinishedAt() {
        return finishedAt;
    }
}
