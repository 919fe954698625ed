package io.holdfast.repository;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A native statement and the record that each of its rows becomes: component {@code expiresAt} is column
 * {@code expires_at}. Rows never become entities: Hibernate would hand out a managed instance with its old values.
 */
final class Statement<T extends Record> {

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private final String sql;
    private final Class<T> rowType;
    private final List<Column> columns;
    private final MethodHandle constructor;

    private record Column(String name, Class<?> type) {}

    private Statement(String sql, Class<T> rowType, List<Column> columns, MethodHandle constructor) {
        this.sql = sql;
        this.rowType = rowType;
        this.columns = columns;
        this.constructor = constructor;
    }

    /** A statement with named parameters, tables as {@code {lease}}, and comments for the why. */
    static <T extends Record> Statement<T> returning(Class<T> rowType, String sql) {
        RecordComponent[] components = rowType.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        List<Column> columns = Arrays.stream(components)
                .map(c -> new Column(HUMP.matcher(c.getName()).replaceAll("_").toLowerCase(Locale.ROOT), c.getType()))
                .toList();
        try {
            var constructor = rowType.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new Statement<>(
                    sql,
                    rowType,
                    columns,
                    MethodHandles.lookup().unreflectConstructor(constructor).asSpreader(Object[].class, types.length));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("No canonical constructor: " + rowType, e);
        }
    }

    String sql() {
        return sql;
    }

    List<T> rows(ResultSet from) throws SQLException {
        List<T> rows = new ArrayList<>(1);
        int[] places = null;
        while (from.next()) {
            places = places == null ? places(from) : places;
            Object[] values = new Object[places.length];
            for (int i = 0; i < places.length; i++) {
                values[i] = value(from, places[i], columns.get(i).type());
            }
            rows.add(row(values));
        }
        return rows;
    }

    private int[] places(ResultSet from) throws SQLException {
        int[] places = new int[columns.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = from.findColumn(columns.get(i).name());
        }
        return places;
    }

    private static @Nullable Object value(ResultSet from, int place, Class<?> type) throws SQLException {
        if (type == String.class) {
            return from.getString(place);
        }
        if (type == Instant.class) {
            OffsetDateTime time = from.getObject(place, OffsetDateTime.class);
            return time == null ? null : time.toInstant();
        }
        if (type == boolean.class) {
            return from.getBoolean(place);
        }
        long number = from.getLong(place);
        return from.wasNull() ? null : number;
    }

    private T row(Object[] values) {
        try {
            return rowType.cast(constructor.invoke(values));
        } catch (Throwable e) {
            throw new IllegalStateException("A row does not fit " + rowType.getSimpleName(), e);
        }
    }
}
