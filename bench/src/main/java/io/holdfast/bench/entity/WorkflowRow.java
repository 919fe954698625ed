package io.holdfast.bench.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** A workflow, with Hibernate's own version and its own mapping of JSON. */
@Entity
@Table(schema = "holdfast", name = "workflow")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class WorkflowRow {

    @Embeddable
    public record Key(
            @Column(name = "scope") String scope,
            @Column(name = "id") String id) implements Serializable {}

    @EmbeddedId
    private Key key;

    @Column(name = "incarnation", updatable = false)
    private UUID incarnation;

    @Column(name = "request_id", updatable = false)
    private String requestId;

    @Column(name = "status")
    private String status;

    @Version
    @Column(name = "revision")
    private long revision = 1;

    @Column(name = "snapshot")
    private String snapshot;

    @JdbcTypeCode(SqlTypes.JSON)
    @Column(name = "labels")
    private Map<String, String> labels;

    @Column(name = "created_at", updatable = false)
    private Instant createdAt;

    @Column(name = "updated_at")
    private Instant updatedAt;

    protected WorkflowRow() {}

    public WorkflowRow(
            Key key, String requestId, String status, String snapshot, Map<String, String> labels, Instant now) {
        this.key = key;
        this.incarnation = UUID.randomUUID();
        this.requestId = requestId;
        this.status = status;
        this.snapshot = snapshot;
        this.labels = new HashMap<>(labels);
        this.createdAt = now;
        this.updatedAt = now;
    }

    public Key getKey() {
        return key;
    }

    public UUID getIncarnation() {
        return incarnation;
    }

    public String getRequestId() {
        return requestId;
    }

    public String getStatus() {
        return status;
    }

    public void setStatus(String status) {
        this.status = status;
    }

    public long getRevision() {
        return revision;
    }

    public String getSnapshot() {
        return snapshot;
    }

    public void setSnapshot(String snapshot) {
        this.snapshot = snapshot;
    }

    public Map<String, String> getLabels() {
        return labels;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public Instant getUpdatedAt() {
        return updatedAt;
    }

    public void setUpdatedAt(Instant updatedAt) {
        this.updatedAt = updatedAt;
    }
}
