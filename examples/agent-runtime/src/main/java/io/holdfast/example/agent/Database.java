package io.holdfast.example.agent;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Where the database is: a server that was started for this run, and trusts whoever comes from this machine.
 */
record Database(String url) {

    static final String USER = "postgres";

    /** A pool, which the caller closes. */
    HikariDataSource connect() {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        pool.setUsername(USER);
        pool.setMaximumPoolSize(4);
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED"); // or the first connection is asked, and may be lost
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(10_000);
        return new HikariDataSource(pool);
    }
}
