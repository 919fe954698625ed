package io.holdfast.example.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Settings;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The lease keeper as a bean. */
class KeeperTest extends OnDatabase {

    private static final Duration TTL = Duration.ofSeconds(2);

    @Autowired
    private LeaseDesk desk;

    @Autowired
    private OrderService service;

    @Autowired
    private EntityManagerFactory factory;

    @Autowired
    private HikariDataSource pool;

    private final String id = "order-" + UUID.randomUUID();

    @Test
    void itRunsOnThreadsOfSprings() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .filteredOn(name -> name.startsWith("lease-keeper-"))
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aLeaseIsKeptWhileRequestsHaveEveryConnectionOfThePool() throws SQLException {
        LeaseDesk.Standing taken = desk.take(id, TTL);
        assertThat(taken.held()).isTrue();
        String granted = expiry();
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                all.add(pool.getConnection());
            }
            Instant limit = Instant.now().plus(Duration.ofSeconds(30));
            while (live() && moves(granted) < 2 && Instant.now().isBefore(limit)) {
                Thread.onSpinWait();
            }
            assertThat(live()).isTrue();
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        LeaseDesk.Standing kept = desk.standing(id);
        assertThat(kept.held()).isTrue();
        assertThat(kept.token()).isEqualTo(taken.token());
        desk.release(id);
        assertThat(desk.standing(id).held()).isFalse();
    }

    /** How many times the ttl has passed since the grant by the lease's end, which only renewals move. */
    private long moves(String granted) {
        String sql = "select floor(extract(epoch from expires_at - timestamptz '" + granted + "') / " + TTL.toSeconds()
                + ") from holdfast.lease where id = '" + id + "'";
        return Long.parseLong(DATABASE.value(sql));
    }

    private String expiry() {
        return stored("select expires_at from holdfast.lease where id = %s", id);
    }

    private boolean live() {
        return "t".equals(stored("select expires_at > clock_timestamp() from holdfast.lease where id = %s", id));
    }

    @Test
    void aKeeperThatClosesLeavesTheApplicationsCacheAlone() {
        service.start(id, "labels", 1);
        assertThat(service.find(id).item()).isEqualTo("labels");
        assertThat(factory.getCache().contains(PurchaseOrder.class, id)).isTrue();
        LeaseKeeper.open(Settings.of(DATABASE.url(), DATABASE.user(), DATABASE.password()))
                .close();
        assertThat(factory.getCache().contains(PurchaseOrder.class, id)).isTrue();
        assertThat(service.find(id).item()).isEqualTo("labels");
    }

    @Test
    void anApplicationThatIsStoppedReleasesWhatItHolds() {
        try (ConfigurableApplicationContext other = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=" + DATABASE.url(),
                        "--spring.datasource.username=" + DATABASE.user(),
                        "--spring.datasource.password=" + DATABASE.password(),
                        // it would share the cache manager of this JVM, and close it
                        "--spring.jpa.properties.hibernate.cache.use_second_level_cache=false",
                        "--instance=b")) {
            assertThat(other.getBean(LeaseDesk.class)
                            .take(id, Duration.ofMinutes(5))
                            .held())
                    .isTrue();
            assertThat(desk.take(id, TTL).holder()).contains("b");
        }
        assertThat(desk.take(id, TTL).held()).isTrue();
        desk.release(id);
    }
}
