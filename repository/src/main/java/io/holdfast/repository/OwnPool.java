package io.holdfast.repository;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import com.zaxxer.hikari.metrics.PoolStats;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A HikariCP pool of Holdfast's own. The only place that names the pool and the driver, so that hosts may lack both. */
final class OwnPool {

    private OwnPool() {}

    static HikariDataSource open(Settings settings, Endpoint endpoint) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("holdfast");
        config.setJdbcUrl(endpoint.url());
        config.setUsername(endpoint.user());
        config.setPassword(endpoint.password());
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(1);
        // Hikari's least is a quarter of a second.
        config.setConnectionTimeout(Math.max(250, settings.checkoutTimeout().toMillis()));
        config.setValidationTimeout(
                Math.max(250, Math.min(5_000, settings.checkoutTimeout().toMillis())));
        // The first connection is asked for like every other, so that a failure is classified like every other.
        config.setInitializationFailTimeout(-1);
        // Hikari would ask the first connection for it, and if that one is lost meanwhile no other is ever of use.
        // Nothing is sent for it where it is the database's default.
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setExceptionOverride(new UselessConnections());
        config.addDataSourceProperty("connectTimeout", Long.toString(seconds(settings.connectTimeout())));
        // A server that has gone without a word: neither an answer nor a cancellation would ever come.
        config.addDataSourceProperty("socketTimeout", Long.toString(seconds(settings.commandTimeout()) + 5));
        // The driver's call waits for its cancellation, ten seconds unless told; over before the socket's time is.
        config.addDataSourceProperty("cancelSignalTimeout", "2");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("ApplicationName", "holdfast");
        if (!settings.namedStatements()) {
            config.addDataSourceProperty("prepareThreshold", "0");
        }
        return new HikariDataSource(config);
    }

    /** A server that has become a replica: the connection lives, but whoever gets it can only read. */
    private static final class UselessConnections implements SQLExceptionOverride {

        private static final String READ_ONLY_TRANSACTION = "25006";

        @java.lang.Override
        public Override adjudicate(SQLException e) {
            return READ_ONLY_TRANSACTION.equals(e.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
        }
    }

    /** Measures from the first who wants to hear of it on. */
    static void tell(HikariDataSource pool, Observer observer) {
        synchronized (pool) {
            if (pool.getMetricsTrackerFactory() instanceof Waits waits) {
                waits.observers.add(observer);
            } else {
                pool.setMetricsTrackerFactory(new Waits(observer));
            }
        }
    }

    private static final class Waits implements MetricsTrackerFactory {

        private final List<Observer> observers = new CopyOnWriteArrayList<>();

        Waits(Observer first) {
            observers.add(first);
        }

        @Override
        public IMetricsTracker create(String poolName, PoolStats poolStats) {
            return new IMetricsTracker() {
                @Override
                public void recordConnectionAcquiredNanos(long elapsed) {
                    observers.forEach(observer -> observer.waited(elapsed));
                }
            };
        }
    }

    private static long seconds(Duration time) {
        return time.plusMillis(999).toSeconds();
    }
}
