package io.holdfast.migrations;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the catalogue and the history table say about a component, read in one round trip. */
record RecordedSchema(
        boolean history,
        boolean readable,
        boolean known,
        @Nullable String comment,
        Set<String> made,
        Set<String> taken,
        List<Entry> entries) {

    /** One line of the history. The version is whatever somebody wrote there. */
    record Entry(
            String type, @Nullable String version, @Nullable Integer checksum, boolean success) {}

    /**
     * A statement that named a missing table, or one that the role may not read, would fail and take the caller's
     * transaction with it. So the catalogue is asked first, by name (to_regclass fails without USAGE on the schema),
     * and the history is named only in the text that query_to_xml runs if that went well. Text goes through hex,
     * because XML cannot hold every character.
     */
    private static final String READ = """
            with s as (select oid, nspname::text as name from pg_namespace where nspname = ?),
                 r as (select c.relname::text as name, c.relkind in ('r', 'p') as is_made
                         from pg_class c join s on c.relnamespace = s.oid
                       union all
                       -- of a schema that was renamed the functions still work on the tables of the former name
                       select p.proname::text || '()', strpos(p.prosrc, '"' || replace(s.name, '"', '""') || '".') > 0
                         from pg_proc p join s on p.pronamespace = s.oid),
                 h as (select c.oid, obj_description(c.oid, 'pg_class') as comment,
                              has_schema_privilege(s.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable,
                              (select count(*) from pg_attribute a
                                where a.attrelid = c.oid and not a.attisdropped
                                  and a.attname in ('installed_rank', 'type', 'version', 'checksum', 'success')) = 5 as known,
                              format('select encode(convert_to(type::text, ''UTF8''), ''hex'') as type,
                                             encode(convert_to(version::text, ''UTF8''), ''hex'') as version,
                                             checksum::text as checksum, success::text as success
                                        from %I.%I order by installed_rank limit 10000', cast(? as text), cast(? as text)) as history
                         from pg_class c join s on c.relnamespace = s.oid
                        where c.relname = ? and c.relkind in ('r', 'p', 'v', 'm', 'f')),
                 x as (select query_to_xml(case when readable and known then history else 'select 1 where false' end,
                                           false, false, '') as rows from h)
            select h.oid is not null as history, coalesce(h.readable, false) as readable, coalesce(h.known, false) as known,
                   h.comment,
                   array(select distinct name from r where is_made and name = any (?)) as made,
                   array(select distinct name from r where name = any (?)) as taken,
                   convert_from(decode(e.type, 'hex'), 'UTF8') as type,
                   convert_from(decode(e.version, 'hex'), 'UTF8') as version, e.checksum, e.success
              from (select 1) one
              left join h on true
              left join x on true
              left join lateral xmltable('/table/row' passing x.rows
                        columns type text, version text, checksum integer, success boolean) e on true
            """;

    static RecordedSchema read(Connection connection, SchemaName schema, Component component) throws SQLException {
        Array names = connection.createArrayOf(
                "text", component.madeFrom(0, component.version()).toArray());
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, schema.value());
            statement.setString(2, schema.value());
            statement.setString(3, component.historyTable());
            statement.setString(4, component.historyTable());
            statement.setArray(5, names);
            statement.setArray(6, names);
            try (ResultSet rows = statement.executeQuery()) {
                return from(rows);
            }
        } finally {
            names.free();
        }
    }

    private static RecordedSchema from(ResultSet rows) throws SQLException {
        rows.next();
        boolean history = rows.getBoolean("history");
        boolean readable = rows.getBoolean("readable");
        boolean known = rows.getBoolean("known");
        String comment = rows.getString("comment");
        Set<String> made = names(rows.getArray("made"));
        Set<String> taken = names(rows.getArray("taken"));
        List<Entry> entries = new ArrayList<>();
        do {
            String type = rows.getString("type");
            if (type != null) {
                entries.add(new Entry(
                        type,
                        rows.getString("version"),
                        rows.getObject("checksum", Integer.class),
                        rows.getBoolean("success")));
            }
        } while (rows.next());
        return new RecordedSchema(history, readable, known, comment, made, taken, List.copyOf(entries));
    }

    private static Set<String> names(Array array) throws SQLException {
        try {
            return Set.of((String[]) array.getArray());
        } finally {
            array.free();
        }
    }
}
