package io.holdfast.migrations;

import io.holdfast.testing.TestDatabase;
import java.util.Objects;

/** Everything in a database that a migration could touch, with the row versions, so that even a vain update shows. */
final class CatalogueDump {

    private CatalogueDump() {}

    static String of(TestDatabase database) {
        return Objects.requireNonNull(database.value("""
                select string_agg(line, E'\\n' order by line) from (
                    select concat_ws(' ', 'schema', nspname, xmin, nspacl) from pg_namespace
                     where nspname !~ '^pg_(toast|temp)'
                    union all
                    select concat_ws(' ', 'relation', oid, relname, relfilenode, relacl) from pg_class where oid >= 16384
                    union all
                    select concat_ws(' ', 'column', attrelid, attnum, attname, xmin) from pg_attribute
                     where attrelid >= 16384
                    union all
                    select concat_ws(' ', 'constraint', oid, conname, xmin) from pg_constraint where oid >= 16384
                    union all
                    select concat_ws(' ', 'function', oid, proname, xmin, proacl) from pg_proc where oid >= 16384
                    union all
                    select concat_ws(' ', 'comment', objoid, objsubid, description) from pg_description
                     where objoid >= 16384
                    union all
                    select concat_ws(' ', 'history', relname, query_to_xml(
                               format('select xmin::text as written_by, h.* from %s h order by 2', oid::regclass),
                               true, false, ''))
                      from pg_class where relname like 'schema\\_history\\_%' and relkind = 'r') dump (line)
                """));
    }
}
