package io.holdfast.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A statement as plain JDBC sends it: prepared, bound by position, one row read.
 *
 * @param slots for each {@code ?} the index of its value
 */
record Sql(String text, int[] slots) {

    private static final Pattern NAMED = Pattern.compile("(?<![:\\w]):([a-z_]+)");
    private static final Pattern NUMBERED = Pattern.compile("\\$\\d+");
    private static final Pattern ASSIGNED = Pattern.compile("(\\w+)=(?:coalesce\\(cast\\()?\\?");

    /** What reads a row. */
    interface Reader<R> {
        R read(ResultSet row) throws SQLException;
    }

    /** Values that are null, of the type that the column has. */
    enum Absent {
        TEXT(java.sql.Types.VARCHAR),
        NUMBER(java.sql.Types.BIGINT),
        TIME(java.sql.Types.TIMESTAMP_WITH_TIMEZONE);

        private final int type;

        Absent(int type) {
            this.type = type;
        }
    }

    /** A text with named parameters; {@code names} in the order in which the values will come. */
    static Sql named(String text, String... names) {
        List<Integer> slots = new ArrayList<>();
        Matcher matcher = NAMED.matcher(text);
        while (matcher.find()) {
            slots.add(index(matcher.group(1), names));
        }
        return new Sql(matcher.replaceAll("?"), ints(slots));
    }

    /** An update that the driver sent; the names are columns, those that are compared with {@code where.} before them. */
    static Sql update(String sent, String... names) {
        String text = plain(sent);
        int where = text.indexOf(" where ");
        List<Integer> slots = new ArrayList<>();
        Matcher matcher = ASSIGNED.matcher(text);
        while (matcher.find()) {
            slots.add(index((matcher.start() >= where ? "where." : "") + matcher.group(1), names));
        }
        return new Sql(text, ints(slots));
    }

    private static String plain(String sent) {
        return NUMBERED.matcher(sent).replaceAll("?");
    }

    private static int index(String name, String... names) {
        int index = List.of(names).indexOf(name);
        if (index < 0) {
            throw new IllegalStateException("No value for parameter " + name);
        }
        return index;
    }

    private static int[] ints(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The first row, in autocommit; null if there is none. */
    <R> @Nullable R first(DataSource source, Reader<R> reader, Object... values) {
        try (Connection connection = source.getConnection()) {
            return first(connection, reader, values);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    <R> R row(DataSource source, Reader<R> reader, Object... values) {
        return given(first(source, reader, values));
    }

    <R> R row(Connection connection, Reader<R> reader, Object... values) throws SQLException {
        return given(first(connection, reader, values));
    }

    <R> @Nullable R first(Connection connection, Reader<R> reader, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? reader.read(rows) : null;
            }
        }
    }

    int update(DataSource source, Object... values) {
        try (Connection connection = source.getConnection()) {
            return update(connection, values);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    int update(Connection connection, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    private void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < slots.length; i++) {
            Object value = values[slots[i]];
            if (value instanceof String text) {
                statement.setString(i + 1, text);
            } else if (value instanceof Long number) {
                statement.setLong(i + 1, number);
            } else if (value instanceof Boolean flag) {
                statement.setBoolean(i + 1, flag);
            } else if (value instanceof UUID uuid) {
                statement.setObject(i + 1, uuid);
            } else if (value instanceof Absent absent) {
                statement.setNull(i + 1, absent.type);
            } else {
                throw new IllegalStateException("No binding for " + value.getClass());
            }
        }
    }

    private static <R> R given(@Nullable R row) {
        if (row == null) {
            throw new IllegalStateException("No row");
        }
        return row;
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Every baseline goes the winner's way; anything else means that the benchmark is wrong. */
    static void expect(String verdict, String actual) {
        if (!verdict.equals(actual)) {
            throw new IllegalStateException("Expected " + verdict + ", but was " + actual);
        }
    }
}
