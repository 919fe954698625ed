package io.holdfast.example.shared;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A tenant's order, in the tenant's schema. Its workflow has the same id. */
@Entity
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class PurchaseOrder {

    @Id
    @Column
    private String id;

    @Column
    private String sku;

    @Column
    private Instant placedAt;

    @Column
    private @Nullable Instant shippedAt;

    @JdbcTypeCode(SqlTypes.JSON)
    @Column
    private Delivery delivery;

    /** For Hibernate. */
    protected PurchaseOrder() {}

    PurchaseOrder(String id, Product product, Instant placedAt, Delivery delivery) {
        this.id = id;
        this.sku = product.getSku();
        this.placedAt = placedAt;
        this.delivery = delivery;
    }

    public String getId() {
        return id;
    }

    public Delivery getDelivery() {
        return delivery;
    }

    public @Nullable Instant getShippedAt() {
        return shippedAt;
    }

    void ship(Instant at) {
        shippedAt = at;
    }
}
