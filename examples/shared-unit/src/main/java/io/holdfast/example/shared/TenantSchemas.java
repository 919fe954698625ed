package io.holdfast.example.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.service.UnknownUnwrapTypeException;

/** A schema for each tenant: a connection has that of its session's tenant in its search path, and nothing else. */
final class TenantSchemas implements MultiTenantConnectionProvider<String> {

    private static final long serialVersionUID = 1L;

    private final transient DataSource pool;

    TenantSchemas(DataSource pool) {
        this.pool = pool;
    }

    static String schemaOf(String tenant) {
        return tenant.toUpperCase(Locale.ROOT);
    }

    @Override
    public Connection getConnection(String tenant) throws SQLException {
        Connection connection = pool.getConnection();
        try {
            connection.setSchema(schemaOf(tenant)); // nobody's does not exist: none of the shop's tables is found there
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public void releaseConnection(String tenant, Connection connection) throws SQLException {
        try (connection) {
            connection.setSchema("public");
        }
    }

    @Override
    public Connection getAnyConnection() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public void releaseAnyConnection(Connection connection) throws SQLException {
        connection.close();
    }

    @Override
    public boolean supportsAggressiveRelease() {
        return false; // a transaction keeps its connection
    }

    @Override
    public boolean isUnwrappableAs(Class<?> type) {
        return type.isInstance(this);
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (!type.isInstance(this)) {
            throw new UnknownUnwrapTypeException(type);
        }
        return type.cast(this);
    }
}
