package io.holdfast.entity;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.Immutable;

/** A row of table {@code lease_floor}: new lease rows of the scope get a token above it. */
@NamedAsMapped
@Entity(name = "HoldfastLeaseFloor")
@Table(name = "lease_floor")
@Immutable
@Cacheable(false)
@Cache(usage = CacheConcurrencyStrategy.NONE) // shared-cache-mode=ALL does not ask the line above
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class LeaseFloorEntity {

    @Id
    @Convert(disableConversion = true)
    @Column(name = "scope", columnDefinition = "text")
    private String scope;

    @Convert(disableConversion = true)
    @Column(name = "floor", nullable = false)
    private long floor;

    /** For Hibernate. */
    protected LeaseFloorEntity() {}

    public String getScope() {
        return scope;
    }

    public long getFloor() {
        return floor;
    }
}
