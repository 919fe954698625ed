package io.holdfast.example.quarkus;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** The application's own entity, in the same persistence unit as Holdfast's. */
@Entity
@Table(name = "purchase_order")
@Cacheable
public class PurchaseOrder {

    @Id
    @Column(name = "id")
    private String id;

    @Column(name = "item")
    private String item;

    @Column(name = "quantity")
    private int quantity;

    @Column(name = "stage")
    private String stage;

    @Version
    @Column(name = "version")
    private long version;

    /** For Hibernate. */
    protected PurchaseOrder() {}

    PurchaseOrder(String id, String item, int quantity, String stage) {
        this.id = id;
        this.item = item;
        this.quantity = quantity;
        this.stage = stage;
    }

    public String getId() {
        return id;
    }

    public String getItem() {
        return item;
    }

    public int getQuantity() {
        return quantity;
    }

    public String getStage() {
        return stage;
    }

    public long getVersion() {
        return version;
    }

    void change(String newItem) {
        item = newItem;
    }

    void moveTo(String newStage) {
        stage = newStage;
    }
}
