package io.holdfast.cli;

import io.holdfast.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements within a transaction. In them, <code>{schema}</code> stands for the quoted schema. */
record Session(Connection connection, SchemaName schema) {

    /** Makes something of a row. */
    interface Row<T> {
        T of(ResultSet row) throws SQLException;
    }

    <T> List<T> list(String sql, Row<T> of, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.replace("{schema}", schema.quoted()))) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> list = new ArrayList<>();
                while (rows.next()) {
                    list.add(of.of(rows));
                }
                return list;
            }
        }
    }

    <T> Optional<T> first(String sql, Row<T> of, @Nullable Object... parameters) throws SQLException {
        return list(sql, of, parameters).stream().findFirst();
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
