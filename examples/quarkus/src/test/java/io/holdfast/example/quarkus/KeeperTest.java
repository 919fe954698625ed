package io.holdfast.example.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lease keeper, on Quarkus's threads and a pool of its own. */
@QuarkusTest
@QuarkusTestResource(OwnDatabase.class)
class KeeperTest {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Inject
    HeldLeases leases;

    @Inject
    AgroalDataSource pool;

    @Inject
    Stored stored;

    private final String id = "order-" + UUID.randomUUID();

    @Test
    void itRunsOnThreadsOfQuarkus() {
        assertThat(Thread.getAllStackTraces().entrySet())
                .filteredOn(thread -> Stream.of(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().endsWith(".KeeperLoop")))
                .extracting(thread -> thread.getKey().getName())
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(name -> name.startsWith("executor-thread-"));
    }

    @Test
    void aLeaseIsKeptWhileRequestsHaveEveryConnectionOfTheirPool() throws SQLException, InterruptedException {
        long token = leases.take(id, TTL).orElseThrow().fence().token();
        String granted = stored.value("select expires_at from holdfast.lease where id = ?", id);
        List<Connection> all = new ArrayList<>();
        int size = pool.getConfiguration().connectionPoolConfiguration().maxSize();
        try {
            for (int i = 0; i < size; i++) {
                all.add(pool.getConnection());
            }
            long limit = System.nanoTime() + PATIENCE.toNanos();
            while (live() && !renewedPastItsTtl(granted) && System.nanoTime() - limit < 0) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            assertThat(live()).isTrue();
            assertThat(renewedPastItsTtl(granted)).isTrue();
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        assertThat(leases.holds(id)).isTrue();
        assertThat(leases.stored(id)).map(lease -> lease.fence().token()).isEqualTo(Optional.of(token));
        leases.release(id);
        assertThat(leases.stored(id)).isEmpty();
    }

    private boolean live() {
        return "t".equals(stored.value("select expires_at > clock_timestamp() from holdfast.lease where id = ?", id));
    }

    private boolean renewedPastItsTtl(String granted) {
        return "t"
                .equals(stored.value(
                        "select clock_timestamp() > timestamptz '" + granted + "' from holdfast.lease where id = ?",
                        id));
    }
}
