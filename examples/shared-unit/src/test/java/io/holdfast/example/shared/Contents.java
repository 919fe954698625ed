package io.holdfast.example.shared;

import io.holdfast.testing.TestDatabase;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables as text, definitions and rows, to be compared to the byte. */
final class Contents {

    static final List<String> TABLES = List.of("workflow", "workflow_label", "idempotency_key", "lease", "lease_floor");

    /** What the database's clock or its random numbers decide: hours from now, and whether it is there at all. */
    private static final String DECIDED_BY_THE_DATABASE =
            "case when column_name ~ '_at$' then format('round(extract(epoch from %I - clock_timestamp()) / 3600)', column_name)"
                    + " when column_name in ('incarnation', 'reservation') then format('%I is not null', column_name)"
                    + " else format('%I', column_name) end";

    private Contents() {}

    static String ofHoldfast(TestDatabase database, String schema) {
        return TABLES.stream()
                .map(table -> table + "\n" + rows(database, schema, table, DECIDED_BY_THE_DATABASE))
                .collect(Collectors.joining("\n"));
    }

    static String of(TestDatabase database, List<String> schemas, String like) {
        return schemas.stream()
                .flatMap(schema -> Stream.concat(
                        Stream.of(definitions(database, schema, like)),
                        tables(database, schema, like)
                                .map(table ->
                                        table + "\n" + rows(database, schema, table, "format('%I', column_name)"))))
                .collect(Collectors.joining("\n"));
    }

    private static Stream<String> tables(TestDatabase database, String schema, String like) {
        String names = database.value(
                "select string_agg(table_name, '|' order by table_name) from information_schema.tables where table_schema = '"
                        + schema + "' and table_name like '" + like + "'");
        return names == null ? Stream.empty() : Stream.of(names.split("\\|"));
    }

    private static String definitions(TestDatabase database, String schema, String like) {
        return database.value("""
                select string_agg(concat_ws(' ', table_schema, table_name, column_name, data_type, column_default), E'\\n'
                                  order by table_name, ordinal_position)
                  from information_schema.columns where table_schema = '%s' and table_name like '%s'
                """.formatted(schema, like));
    }

    private static String rows(TestDatabase database, String schema, String table, String column) {
        String columns = database.value("""
                select string_agg(%s, ', ' order by ordinal_position)
                  from information_schema.columns where table_schema = '%s' and table_name = '%s'
                """.formatted(column, schema, table));
        return database.value(
                "select string_agg(line, E'\\n' order by line) from (select cast(row(%s) as text) as line from \"%s\".\"%s\") lines"
                        .formatted(columns, schema, table));
    }
}
