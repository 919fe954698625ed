package io.holdfast.cli;

import io.holdfast.migrations.Components;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What this role may not do, and needs. */
record PrivilegesCheck() implements Check {

    private static final String LACKING = """
            select distinct case when not has_schema_privilege(n.oid, 'usage') then 'usage on the schema'
                                 else p.name || ' on ' || c.relname end as lacking
              from pg_namespace n
              join pg_class c on c.relnamespace = n.oid and c.relname = any (string_to_array(?, ','))
              cross join (values ('select'), ('insert'), ('update'), ('delete')) p (name)
             where n.nspname = ?
               and (not has_schema_privilege(n.oid, 'usage') or not has_table_privilege(c.oid, p.name))
             order by 1
            """;

    @Override
    public String name() {
        return "privileges";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        List<String> tables = new ArrayList<>();
        Components.own().forEach(component -> tables.addAll(component.tables()));
        tables.addAll(OperationsComponent.COMPONENT.tables());
        List<String> lacking = session.list(
                LACKING,
                row -> row.getString("lacking"),
                String.join(",", tables),
                session.schema().value());
        if (lacking.isEmpty()) {
            return List.of();
        }
        String schema = session.schema().quoted();
        return List.of(trouble(
                "this role lacks " + String.join(", ", lacking),
                "what needs it is refused by the database; grants cover only the tables of their moment, so that those of a"
                        + " later migration lack them",
                "grant usage on schema " + schema
                        + " to ...; grant select, insert, update, delete on all tables in schema " + schema
                        + " to ..."));
    }
}
