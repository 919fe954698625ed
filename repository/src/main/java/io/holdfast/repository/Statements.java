package io.holdfast.repository;

import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hibernate.HibernateException;
import org.hibernate.StatelessSession;
import org.hibernate.engine.jdbc.spi.JdbcCoordinator;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * A session to run statements in.
 *
 * @param lockTimeout how long a statement may wait for a lock, as the server reads it; null in a caller's transaction, whose
 *     own setting stays: a setting made there would outlive the statement
 */
record Statements(
        StatelessSession session, Tables tables, @Nullable String lockTimeout) {

    static String milliseconds(Duration time) {
        return Long.toString(Math.max(1, time.toMillis()));
    }

    <T extends Record> Call<T> call(Statement<T> statement) {
        NamedParameters parameters = tables.resolve(statement.sql());
        Call<T> call = new Call<>((SharedSessionContractImplementor) session, statement, parameters);
        return parameters.places().containsKey("lock_timeout") ? call.set("lock_timeout", lockTimeout) : call;
    }

    /**
     * A statement and its parameters, by plain JDBC on the session's connection. It is prepared by the session, so that the
     * host's statement inspector, its log and its events see it; a native query of Hibernate's would take as long again as
     * the driver to read the same row.
     */
    static final class Call<T extends Record> {

        private final SharedSessionContractImplementor session;
        private final Statement<T> statement;
        private final NamedParameters parameters;
        private final Object[] values;

        private Call(SharedSessionContractImplementor session, Statement<T> statement, NamedParameters parameters) {
            this.session = session;
            this.statement = statement;
            this.parameters = parameters;
            this.values = new Object[parameters.count()];
        }

        Call<T> set(String name, @Nullable String value) {
            return put(name, value == null ? JDBCType.VARCHAR : value);
        }

        Call<T> set(String name, @Nullable Long value) {
            return put(name, value == null ? JDBCType.BIGINT : value);
        }

        Call<T> set(String name, boolean value) {
            return put(name, value);
        }

        /** @param value a type stands for a null of that type: without one it would be sent as bytes */
        private Call<T> put(String name, Object value) {
            for (int place : parameters.placesOf(name)) {
                values[place] = value;
            }
            return this;
        }

        T row() {
            List<T> rows = rows();
            if (rows.size() != 1) {
                throw new IllegalStateException("One row was due, not " + rows.size());
            }
            return rows.get(0);
        }

        Optional<T> first() {
            return rows().stream().findFirst();
        }

        List<T> rows() {
            try {
                return read();
            } catch (SQLException e) {
                throw failed(session.getJdbcServices()
                        .getSqlExceptionHelper()
                        .convert(e, "could not run a statement", parameters.sql()));
            } catch (HibernateException e) {
                throw failed(e);
            }
        }

        /** As a query of the session's own: a transaction that it began can only be rolled back now. */
        private RuntimeException failed(HibernateException e) {
            return session.getExceptionConverter().convert(e);
        }

        private List<T> read() throws SQLException {
            JdbcCoordinator jdbc = session.getJdbcCoordinator();
            PreparedStatement prepared = jdbc.getStatementPreparer().prepareStatement(parameters.sql());
            try (Deadline ignored = Deadline.of(prepared)) {
                bind(prepared);
                prepared.setFetchSize(
                        0); // at once, whatever the host's driver does: else a cursor, and a round trip for each page
                ResultSet found = jdbc.getResultSetReturn().extract(prepared, parameters.sql());
                return statement.rows(found);
            } finally {
                jdbc.getLogicalConnection().getResourceRegistry().release(prepared);
                jdbc.afterStatementExecution();
            }
        }

        private void bind(PreparedStatement prepared) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                Object value = values[i];
                if (value instanceof String text) {
                    prepared.setString(i + 1, text);
                } else if (value instanceof Long number) {
                    prepared.setLong(i + 1, number);
                } else if (value instanceof Boolean flag) {
                    prepared.setBoolean(i + 1, flag);
                } else if (value instanceof JDBCType type) {
                    prepared.setNull(i + 1, type.getVendorTypeNumber());
                } else {
                    throw new IllegalStateException("Parameter " + (i + 1) + " was not set");
                }
            }
        }
    }
}
