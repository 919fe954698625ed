package io.holdfast.bench.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;

/** A label by which workflows are found. */
@Entity
@Table(schema = "holdfast", name = "workflow_label")
@SuppressWarnings("NullAway.Init") // Hibernate fills the field
public class LabelRow {

    @Embeddable
    public record Key(
            @Column(name = "scope") String scope,
            @Column(name = "name") String name,
            @Column(name = "value") String value,
            @Column(name = "created_at") Instant createdAt,
            @Column(name = "id") String id)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    protected LabelRow() {}

    public LabelRow(Key key) {
        this.key = key;
    }

    public Key getKey() {
        return key;
    }
}
