package io.holdfast.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Pools as an application has them. */
final class Pools {

    private Pools() {}

    static HikariDataSource of(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("postgres");
        config.setPassword("postgres");
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }
}
