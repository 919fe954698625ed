package io.holdfast.cli;

import io.holdfast.migrations.Components;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What this role may not do, and needs. */
record PrivilegesCheck() implements Check {

    private static final String LACKING = """
            with s as (select oid, has_schema_privilege(oid, 'usage') as usable from pg_namespace where nspname = ?)
            select 'usage on the schema' as lacking from s where not usable
            union
            select p.name || ' on ' || c.relname from s
              join pg_class c on c.relnamespace = s.oid and c.relname = any (string_to_array(?, ','))
              cross join (values ('select'), ('insert'), ('update'), ('delete')) p (name)
             where s.usable and not has_table_privilege(c.oid, p.name)
            union
            select 'execute on ' || f.proname from s
              join pg_proc f on f.pronamespace = s.oid and f.proname = any (string_to_array(?, ','))
             where s.usable and not has_function_privilege(f.oid, 'execute')
             order by 1
            """;

    @Override
    public String name() {
        return "privileges";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        List<String> tables = new ArrayList<>();
        List<String> functions = new ArrayList<>();
        Components.own().forEach(component -> {
            tables.addAll(component.tables());
            functions.addAll(component.functions());
        });
        tables.addAll(OperationsComponent.COMPONENT.tables());
        List<String> lacking = session.list(
                LACKING,
                row -> row.getString("lacking"),
                session.schema().value(),
                String.join(",", tables),
                String.join(",", functions));
        if (lacking.isEmpty()) {
            return List.of();
        }
        String schema = session.schema().quoted();
        return List.of(trouble(
                "this role lacks " + String.join(", ", lacking),
                "what needs it is refused by the database; grants cover only the tables of their moment, so that those of a"
                        + " later migration lack them; functions may be executed unless that was revoked",
                "grant usage on schema " + schema
                        + " to ...; grant select, insert, update, delete on all tables in schema " + schema
                        + " to ...; grant execute on all functions in schema " + schema + " to ..."));
    }
}
