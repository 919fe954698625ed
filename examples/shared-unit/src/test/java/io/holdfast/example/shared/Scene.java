package io.holdfast.example.shared;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hibernate.SessionFactory;

/** A shop that has been opened on a database of its own, with two tenants. */
final class Scene implements AutoCloseable {

    static final String ACME = "acme";
    static final String BOLT = "bolt";
    static final Set<String> TENANTS = Set.of(ACME, BOLT);
    static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

    final TestDatabase database = TestDatabase.empty("shop");
    final Tenants tenants = new Tenants();
    final Variation variation;
    final EntityManagerFactory unit;

    private final HikariDataSource pool = pool(4);
    private final HikariDataSource heartbeatPool = pool(1);

    /** Each edition of the shop, with Holdfast's mapping file and with the shop's own. */
    enum Variation {
        HOSTED(Edition.HOSTED, "META-INF/holdfast-orm.xml", "holdfast"),
        HOSTED_ELSEWHERE(Edition.HOSTED, "META-INF/shop-orm.xml", "shop_flow"),
        ON_PREMISES(Edition.ON_PREMISES, "META-INF/holdfast-orm.xml", "holdfast"),
        ON_PREMISES_ELSEWHERE(Edition.ON_PREMISES, "META-INF/shop-orm.xml", "shop_flow");

        final Edition edition;
        final String mappingFile;
        final String schema;

        Variation(Edition edition, String mappingFile, String schema) {
            this.edition = edition;
            this.mappingFile = mappingFile;
            this.schema = schema;
        }
    }

    Scene(Variation variation) {
        this(variation, Optional.of(variation.mappingFile));
    }

    /** The shop before it had Holdfast. */
    static Scene withoutHoldfast(Variation variation) {
        return new Scene(variation, Optional.empty());
    }

    private Scene(Variation variation, Optional<String> mappingFile) {
        this.variation = variation;
        new ShopMigrations(database.directDataSource()).migrate(variation.edition, TENANTS, variation.schema);
        this.unit = ShopUnit.open(variation.edition, pool, tenants, mappingFile);
    }

    private HikariDataSource pool(int size) {
        HikariDataSource made = new HikariDataSource();
        made.setDataSource(database.dataSource());
        made.setMaximumPoolSize(size);
        return made;
    }

    Holdfast heartbeats() {
        return Shop.heartbeats(heartbeatPool, variation.schema);
    }

    Shop shop(Holdfast heartbeats) {
        return new Shop(unit, tenants, () -> NOW, heartbeats);
    }

    /** Calls of a facade over the shop's unit, for nobody in particular. */
    static Tour.Caller each(Holdfast holdfast, String scope) {
        return new Tour.Caller() {
            @Override
            public <R> R call(Function<Stores, R> work) {
                return work.apply(holdfast.in(Scope.of(scope)));
            }
        };
    }

    /** Calls that are business transactions of the tenant, one each. */
    static Tour.Caller joining(Shop shop, String tenant) {
        return new Tour.Caller() {
            @Override
            public <R> R call(Function<Stores, R> work) {
                return shop.business(tenant, (em, stores) -> work.apply(stores));
            }
        };
    }

    String schemaOf(String tenant) {
        return variation.edition == Edition.HOSTED ? TenantSchemas.schemaOf(tenant) : Edition.SHOP;
    }

    String orderTable(String tenant) {
        return "\"%s\".\"T_PURCHASE_ORDER\"".formatted(schemaOf(tenant));
    }

    /** All that is the shop's: names, definitions and rows, also of its Flyway's history. */
    String shopsOwn() {
        return Contents.of(database, List.of("SHOP", "ACME", "BOLT"), "%");
    }

    /** The same without the history, which says when. */
    String shopsTables() {
        return Contents.of(database, List.of("SHOP", "ACME", "BOLT"), "T_%");
    }

    String holdfasts() {
        return Contents.ofHoldfast(database, variation.schema);
    }

    /** No orders, no workflows, nothing cached and nothing counted. */
    void clear() {
        TENANTS.forEach(tenant -> database.execute("delete from " + orderTable(tenant)));
        Contents.TABLES.forEach(table -> database.execute("delete from " + variation.schema + "." + table));
        unit.getCache().evictAll();
        unit.unwrap(SessionFactory.class).getStatistics().clear();
    }

    @Override
    public void close() {
        unit.close();
        heartbeatPool.close();
        pool.close();
        database.close();
    }
}
