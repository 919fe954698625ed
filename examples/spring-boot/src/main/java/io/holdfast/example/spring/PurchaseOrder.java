package io.holdfast.example.spring;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.jspecify.annotations.Nullable;

/** The application's own row. */
@Entity
@Table(name = "purchase_order")
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
class PurchaseOrder {

    @Id
    @Column(columnDefinition = "text")
    private String id;

    @Column(nullable = false, columnDefinition = "text")
    private String item;

    private int quantity;

    @Column(nullable = false, columnDefinition = "text")
    private String stage;

    @Version
    private @Nullable Long version;

    protected PurchaseOrder() {}

    PurchaseOrder(String id, String item, int quantity, String stage) {
        this.id = id;
        this.item = item;
        this.quantity = quantity;
        this.stage = stage;
    }

    String getId() {
        return id;
    }

    String getItem() {
        return item;
    }

    int getQuantity() {
        return quantity;
    }

    String getStage() {
        return stage;
    }

    void changeItem(String value) {
        item = value;
    }

    void moveTo(String value) {
        stage = value;
    }
}
