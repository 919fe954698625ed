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

/** A row of table {@code run_event}. It never changes. */
@NamedAsMapped
@Entity(name = "HoldfastRunEvent")
@Table(name = "run_event")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class RunEventEntity {

    /** Scope first: one tenant is one range. */
    @Embeddable
    public record Key(
            @Convert(disableConversion = true) @Column(name = "scope", columnDefinition = "text")
            String scope,

            @Convert(disableConversion = true) @Column(name = "run_id", columnDefinition = "text")
            String runId,

            @Convert(disableConversion = true) @Column(name = "seq")
            long seq)
            implements Serializable {}

    @EmbeddedId
    private Key key;

    @Convert(disableConversion = true)
    @Column(name = "type", nullable = false, columnDefinition = "text")
    private String type;

    @Convert(disableConversion = true)
    @Column(name = "payload", nullable = false, columnDefinition = "text")
    private String payload;

    @Convert(disableConversion = true)
    @Column(name = "at", nullable = false)
    private Instant at;

    /** For Hibernate. */
    protected RunEventEntity() {}

    public Key getKey() {
        return key;
    }

    public String getType() {
        return type;
    }

    public String getPayload() {
        return payload;
    }

    public Instant getAt() {
        return at;
    }
}
