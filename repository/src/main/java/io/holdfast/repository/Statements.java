package io.holdfast.repository;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hibernate.StatelessSession;
import org.hibernate.query.NativeQuery;
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
        String sql = tables.resolve(statement.sql());
        Call<T> call = new Call<>(statement.mapped(session.createNativeQuery(sql, Object[].class)));
        return sql.contains(":lock_timeout") ? call.set("lock_timeout", lockTimeout) : call;
    }

    /** A statement and its parameters. Each is set with its type: a null without one would be sent as bytes. */
    static final class Call<T extends Record> {

        private final NativeQuery<T> query;

        private Call(NativeQuery<T> query) {
            this.query = query;
        }

        Call<T> set(String name, @Nullable String value) {
            query.setParameter(name, value, String.class);
            return this;
        }

        Call<T> set(String name, @Nullable Long value) {
            query.setParameter(name, value, Long.class);
            return this;
        }

        <V> Call<T> set(String name, V value, Class<V> type) {
            query.setParameter(name, value, type);
            return this;
        }

        T row() {
            return query.getSingleResult();
        }

        Optional<T> first() {
            return query.getResultList().stream().findFirst();
        }

        List<T> rows() {
            return query.getResultList();
        }
    }
}
