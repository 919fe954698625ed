package io.holdfast.example.shared;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/** What all tenants sell. Hardly ever changes, so it is cached. */
@Entity
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields
public class Product {

    @Id
    @Column
    private String sku;

    @Column
    private String title;

    @Column
    private Map<String, String> tags;

    /** For Hibernate. */
    protected Product() {}

    public String getSku() {
        return sku;
    }

    public String getTitle() {
        return title;
    }

    public Map<String, String> getTags() {
        return tags;
    }
}
