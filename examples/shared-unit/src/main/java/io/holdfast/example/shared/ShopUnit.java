package io.holdfast.example.shared;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.SharedCacheMode;
import java.util.Optional;
import javax.sql.DataSource;
import org.hibernate.type.format.jackson.JacksonJsonFormatMapper;

/** The shop's one persistence unit. */
final class ShopUnit {

    private ShopUnit() {}

    // snippet: unit
    /** @param holdfast the mapping file of Holdfast's entities: its own, or the shop's that names another schema */
    static EntityManagerFactory open(Edition edition, DataSource pool, Tenants tenants, Optional<String> holdfast) {
        PersistenceConfiguration unit = new PersistenceConfiguration("shop")
                .managedClass(PurchaseOrder.class)
                .managedClass(TextTime.class)
                .managedClass(TextTags.class)
                .sharedCacheMode(SharedCacheMode.ALL)
                .property("hibernate.physical_naming_strategy", new ShopNaming())
                .property("hibernate.type.json_format_mapper", new JacksonJsonFormatMapper(mapper()))
                .property("hibernate.cache.use_second_level_cache", "true")
                .property("hibernate.cache.use_query_cache", "true")
                .property("hibernate.cache.region.factory_class", "jcache")
                .property("hibernate.javax.cache.missing_cache_strategy", "create")
                .property("hibernate.generate_statistics", "true")
                .property("jakarta.persistence.validation.mode", "none");
        holdfast.ifPresent(unit::mappingFile); // all that Holdfast needs of the unit
        edition.configure(unit, pool, tenants);
        return unit.createEntityManagerFactory();
    }
    // end

    /** Jackson 2, as the shop has had it for years. */
    private static ObjectMapper mapper() {
        return new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    }
}
