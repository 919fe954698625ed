package io.holdfast.bench.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An idempotency key. Its number changes with a reservation only, so whoever completes one locks it. */
@Entity
@Table(schema = "holdfast", name = "idempotency_key")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class KeyRow {

    @Embeddable
    public record Key(
            @Column(name = "scope") String scope,
            @Column(name = "key") String key) implements Serializable {}

    @EmbeddedId
    private Key key;

    @Column(name = "reservation")
    private long reservation;

    @Column(name = "request_id")
    private String requestId;

    @Column(name = "workflow_id")
    private String workflowId;

    @Column(name = "status")
    private String status;

    @Column(name = "outcome")
    private @Nullable String outcome;

    @Column(name = "keep_ms")
    private long keepMillis;

    @Column(name = "created_at", updatable = false)
    private Instant createdAt;

    @Column(name = "updated_at")
    private Instant updatedAt;

    @Column(name = "expires_at")
    private Instant expiresAt;

    protected KeyRow() {}

    public KeyRow(Key key, String requestId, String workflowId, long keepMillis, Instant now) {
        this.key = key;
        this.reservation = 1;
        this.requestId = requestId;
        this.workflowId = workflowId;
        this.status = "reserved";
        this.keepMillis = keepMillis;
        this.createdAt = now;
        this.updatedAt = now;
        this.expiresAt = now.plusMillis(keepMillis);
    }

    public Key getKey() {
        return key;
    }

    public void complete(String with, Instant now) {
        status = "completed";
        outcome = with;
        updatedAt = now;
        expiresAt = now.plusMillis(keepMillis);
    }

    public boolean isReserved(String by, long under) {
        return status.equals("reserved") && workflowId.equals(by) && reservation == under;
    }

    public String getRequestId() {
        return requestId;
    }

    public String getWorkflowId() {
        return workflowId;
    }

    public long getReservation() {
        return reservation;
    }

    public @Nullable String getOutcome() {
        return outcome;
    }

    public Instant getCreatedAt() {
        return createdAt;
    }

    public Instant getUpdatedAt() {
        return updatedAt;
    }

    public Instant getExpiresAt() {
        return expiresAt;
    }
}
