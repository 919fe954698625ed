package io.holdfast.example.shared;

import static io.holdfast.example.shared.Scene.ACME;
import static io.holdfast.example.shared.Scene.BOLT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.cleanup.Removed;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The shop's settings change nothing that Holdfast stores, and Holdfast changes nothing of the shop's. */
@ParameterizedClass
@EnumSource
class SharedUnitTest {

    private static final Delivery HOME = new Delivery("Dock \"3\"", "Z\u00fcrich", true);

    private static final Map<Edition, String> BEFORE_HOLDFAST = new EnumMap<>(Edition.class);

    private static Scene scene;
    private static Holdfast heartbeats;
    private static Shop shop;

    @Parameter
    private Scene.Variation variation;

    @BeforeParameterizedClassInvocation
    static void open(Scene.Variation variation) {
        BEFORE_HOLDFAST.computeIfAbsent(variation.edition, edition -> anOrderBeforeHoldfast(variation));
        scene = new Scene(variation);
        heartbeats = scene.heartbeats();
        shop = scene.shop(heartbeats);
    }

    @BeforeEach
    void clear() {
        scene.clear();
    }

    @AfterParameterizedClassInvocation
    static void close() {
        shop.close();
        heartbeats.close();
        scene.close();
    }

    @Test
    void whatIsStoredThroughTheShopsUnitIsWhatAPlainFacadeStores() {
        try (TestDatabase plain = TestDatabase.migrated("plain");
                Holdfast holdfast = Holdfast.open(plain.dataSource());
                Holdfast over = Holdfast.over(scene.unit)) {
            List<String> answers = Tour.through(Scene.each(holdfast, ACME));
            Tour.through(Scene.each(holdfast, BOLT));
            assertThat(Tour.through(Scene.joining(shop, ACME)))
                    .as("in business transactions")
                    .isEqualTo(answers);
            assertThat(Tour.through(Scene.each(over, BOLT)))
                    .as("each call by itself")
                    .isEqualTo(answers);
            assertThat(scene.holdfasts())
                    .isEqualTo(Contents.ofHoldfast(plain, "holdfast"))
                    .contains("wf-1", "k:0", "w1");

            Removed removed = Tour.cleaningUp(Scene.each(holdfast, ACME));
            assertThat(removed.workflows()).as("something to remove").isPositive();
            assertThat(Tour.cleaningUp(Scene.joining(shop, ACME))).isEqualTo(removed);
            assertThat(over.cleanup().pass(Tour.CUTOFF))
                    .isEqualTo(holdfast.cleanup().pass(Tour.CUTOFF));
            assertThat(scene.holdfasts()).isEqualTo(Contents.ofHoldfast(plain, "holdfast"));
        }
    }

    @Test
    void whatTheShopStoresIsWhatItStoredBeforeItHadHoldfast() {
        shop.place(ACME, "o-1", "tea-1", HOME);
        assertThat(shop.ship(ACME, "o-1", "worker-1")).isTrue();
        assertThat(scene.shopsTables()).isEqualTo(BEFORE_HOLDFAST.get(variation.edition));
        assertThat(scene.database.value("select \"PLACED_AT\" || \"DELIVERY\" from " + scene.orderTable(ACME)))
                .as("by the shop's converter and the shop's mapper")
                .isEqualTo("at 2026-01-01T10:00:00Z"
                        + "{\"city\": \"Z\u00fcrich\", \"street_name\": \"Dock \\\"3\\\"\", \"leave_at_door\": true}");
    }

    private static String anOrderBeforeHoldfast(Scene.Variation variation) {
        try (Scene before = Scene.withoutHoldfast(variation)) {
            return before.tenants.as(ACME, () -> {
                before.unit.runInTransaction(em -> {
                    PurchaseOrder order = new PurchaseOrder("o-1", em.find(Product.class, "tea-1"), Scene.NOW, HOME);
                    order.ship(Scene.NOW);
                    em.persist(order);
                });
                return before.shopsTables();
            });
        }
    }

    @Test
    void everyOperationLeavesTheShopsTablesHistoryAndCacheAlone() {
        shop.place(ACME, "o-1", "tea-1", HOME);
        String before = scene.shopsOwn();
        String counted = cache();
        try (Holdfast over = Holdfast.over(scene.unit)) {
            Tour.through(Scene.each(over, ACME));
            Tour.cleaningUp(Scene.each(over, ACME));
        }
        Tour.through(Scene.joining(shop, BOLT));
        Tour.cleaningUp(Scene.joining(shop, BOLT));
        assertThat(cache()).isEqualTo(counted).startsWith("1 entries");
        assertThat(scene.shopsOwn()).isEqualTo(before).contains("o-1", "SHOP_HISTORY_orders");
    }

    @Test
    void theShopsCacheGoesOnWhenAFacadeIsClosed() {
        shop.place(ACME, "o-1", "tea-1", HOME);
        scene.heartbeats().close();
        Holdfast.over(scene.unit).close();
        shop.place(ACME, "o-2", "tea-1", HOME);
        Statistics statistics = scene.unit.unwrap(SessionFactory.class).getStatistics();
        assertThat(statistics
                        .getDomainDataRegionStatistics(Product.class.getName())
                        .getHitCount())
                .isPositive();
    }

    private String cache() {
        Statistics statistics = scene.unit.unwrap(SessionFactory.class).getStatistics();
        return "%d entries, %d puts, %d hits, %d misses, regions %s"
                .formatted(
                        statistics
                                .getDomainDataRegionStatistics(Product.class.getName())
                                .getPutCount(),
                        statistics.getSecondLevelCachePutCount(),
                        statistics.getSecondLevelCacheHitCount(),
                        statistics.getSecondLevelCacheMissCount(),
                        List.of(statistics.getSecondLevelCacheRegionNames()));
    }

    @Test
    void eitherMigrationFindsItsOwnTablesDoneAndLeavesTheOthers() {
        String before = scene.shopsOwn() + scene.holdfasts();
        new ShopMigrations(scene.database.directDataSource())
                .migrate(variation.edition, Scene.TENANTS, variation.schema);
        assertThat(scene.shopsOwn() + scene.holdfasts()).isEqualTo(before);
    }

    @Test
    void anOrderAndItsWorkflowAreWrittenTogetherOrNotAtAll() {
        assertThatThrownBy(() -> shop.business(ACME, (em, stores) -> {
                    shop.placeIn(em, stores, "o-1", "tea-1", HOME);
                    throw new IllegalStateException("out of tea");
                }))
                .hasMessage("out of tea");
        assertThat(shop.orders(ACME)).isEmpty();
        assertThat(scene.holdfasts()).doesNotContain("o-1");

        shop.place(ACME, "o-1", "tea-1", HOME);
        assertThat(shop.orders(ACME)).containsExactly(new OrderStatus("o-1", "running", 1));
        assertThatThrownBy(() -> shop.business(ACME, (em, stores) -> {
                    em.find(PurchaseOrder.class, "o-1").ship(Scene.NOW);
                    return shop.placeIn(em, stores, "o-1", "pot-1", HOME); // there already
                }))
                .isInstanceOf(RuntimeException.class);
        assertThat(scene.database.value("select count(\"SHIPPED_AT\") from " + scene.orderTable(ACME)))
                .isEqualTo("0");

        assertThat(shop.ship(ACME, "o-1", "worker-1")).isTrue();
        assertThat(shop.orders(ACME)).containsExactly(new OrderStatus("o-1", "succeeded", 2));
        assertThat(scene.database.value("select count(\"SHIPPED_AT\") from " + scene.orderTable(ACME)))
                .isEqualTo("1");
    }

    @Test
    void aWorkerThatLostTheOrderToAnotherWritesNeitherRow() {
        shop.place(ACME, "o-1", "tea-1", HOME);
        Acquisition other = heartbeats
                .in(Scope.of(ACME))
                .leases()
                .acquire(LeaseKey.ofWorkflow("o-1"), "other", Duration.ofSeconds(60));
        assertThat(other).isInstanceOf(Acquisition.Granted.class);
        assertThat(shop.ship(ACME, "o-1", "worker-1")).isFalse();
        assertThat(scene.database.value("select count(\"SHIPPED_AT\") from " + scene.orderTable(ACME)))
                .isEqualTo("0");
    }

    @Test
    void noTenantSeesOrHoldsWhatIsAnothers() {
        shop.place(ACME, "o-1", "tea-1", HOME);
        shop.business(BOLT, (em, stores) -> {
            assertThat(stores.workflows().find("o-1")).isEmpty();
            assertThat(stores.workflows().list("", 10)).isEmpty();
            return "seen";
        });
        assertThat(shop.orders(BOLT)).isEmpty();
        Acquisition acme =
                heartbeats.in(Scope.of(ACME)).leases().acquire(LeaseKey.ofWorkflow("o-1"), "w", Duration.ofSeconds(60));
        assertThat(acme).isInstanceOf(Acquisition.Granted.class);
        if (variation.edition == Edition.HOSTED) {
            shop.place(BOLT, "o-1", "pot-1", HOME); // its own o-1, in its own schema
            assertThat(shop.ship(BOLT, "o-1", "worker-1"))
                    .as("under its own lease")
                    .isTrue();
            assertThat(shop.orders(ACME)).containsExactly(new OrderStatus("o-1", "running", 1));
            assertThat(shop.orders(BOLT)).containsExactly(new OrderStatus("o-1", "succeeded", 2));
        }
    }
}
