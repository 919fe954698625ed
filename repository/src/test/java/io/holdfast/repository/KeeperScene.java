package io.holdfast.repository;

import static org.awaitility.Awaitility.await;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A scope of its own, workers that reach the database directly, and a keeper that reaches it through a proxy. */
final class KeeperScene implements AutoCloseable {

    static final Duration MINUTE = Duration.ofSeconds(60);
    static final LeaseKeeperSettings QUICK = LeaseKeeperSettings.DEFAULT.withInterval(Duration.ofMillis(250));

    final TestDatabase database = TestDatabase.get();
    final ServerProxy proxy = ServerProxy.to(database);
    final Scope scope = Scope.of("keeper-" + UUID.randomUUID());
    final Holdfast holdfast = Holdfast.open(database.dataSource());
    final Holdfast keepers = Holdfast.open(proxy.dataSource());
    final Stores stores = holdfast.in(scope);
    volatile LinkedBlockingQueue<KeptLease> told = new LinkedBlockingQueue<>();

    static LeaseKey key(String id) {
        return new LeaseKey("test", id);
    }

    KeptLease kept(LeaseKeeper keeper, String id, Duration ttl) {
        return kept(keeper, id, ttl, told::add);
    }

    KeptLease kept(LeaseKeeper keeper, String id, Duration ttl, Consumer<KeptLease> onLost) {
        return ((Keeping.Kept) keeper.acquire(stores, key(id), "worker", ttl, onLost)).lease();
    }

    Lease granted(String id, Duration ttl) {
        return ((Acquisition.Granted) stores.leases().acquire(key(id), "worker", ttl)).lease();
    }

    /** Callbacks that an earlier test left behind may still come: they go where nobody looks. */
    void forget() {
        told = new LinkedBlockingQueue<>();
    }

    /** Waits for a callback; null if none came within ten seconds. */
    @Nullable
    KeptLease nextTold() throws InterruptedException {
        return told.poll(10, TimeUnit.SECONDS);
    }

    void takenOver(String id) {
        database.execute("update holdfast.lease set owner = 'rival', token = token + 1 where " + row(id));
    }

    boolean liveInDatabase(String id) {
        return "t"
                .equals(database.value("select expires_at > clock_timestamp() and owner = 'worker'"
                        + " from holdfast.lease where " + row(id)));
    }

    String row(String id) {
        return "scope = '" + scope.id() + "' and id = '" + id + "'";
    }

    /** How many leases with such ids were renewed since they were granted. */
    int renewed(String beginning) {
        return Integer.parseInt(String.valueOf(database.value("select count(*) from holdfast.lease"
                + " where expires_at > granted_at + ttl_ms * interval '1 millisecond' and scope = '" + scope.id()
                + "' and starts_with(id, '" + beginning + "')")));
    }

    /** Makes the next renewal take a second to reach the server, and waits until it has been sent. */
    void withARenewalOnItsWay() {
        proxy.reset();
        proxy.delay(Duration.ofSeconds(1));
        await().until(() -> renewalsSent() > 0);
        proxy.delay(Duration.ZERO);
    }

    /** Renewals that the keeper has sent since the proxy's last reset. */
    long renewalsSent() {
        return proxy.statements().stream()
                .filter(sql -> sql.contains("skip locked"))
                .count();
    }

    @Override
    public void close() {
        proxy.close();
        keepers.close();
        holdfast.close();
    }
}
