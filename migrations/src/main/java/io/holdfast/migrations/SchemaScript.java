package io.holdfast.migrations;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.util.Locale;

/**
 * What {@link Migrator#migrate} would do, as SQL to read and to run by hand, for those who let no program change a schema.
 * It leaves the same catalogue and the same history, so that {@link Migrator#status} and later migrations go on from it.
 */
public final class SchemaScript {

    private static final String HISTORY = """
            create table %1$s.%2$s (
                installed_rank integer not null constraint "%3$s_pk" primary key,
                version varchar(50),
                description varchar(200) not null,
                type varchar(20) not null,
                script varchar(1000) not null,
                checksum integer,
                installed_by varchar(100) not null,
                installed_on timestamp not null default now(),
                execution_time integer not null,
                success boolean not null
            );
            create index "%3$s_s_idx" on %1$s.%2$s (success);
            """;

    /** Not {@code create schema if not exists}, which asks for the right to create one also where it is there. */
    private static final String SCHEMA = """
            if not exists (select from pg_namespace where nspname = %2$s) then
                    create schema %1$s;
                end if;""";

    private static final String FROM = """
            if (select max(cast(version as integer)) from %1$s.%2$s where success) is distinct from %3$d then
                    raise exception 'component %4$s is not at version %3$d';
                end if;""";

    private final SchemaName schema;
    private final Component component;

    private SchemaScript(SchemaName schema, Component component) {
        this.schema = schema;
        this.component = component;
    }

    public static SchemaScript of(SchemaName schema, Component component) {
        return new SchemaScript(Given.value("schema", schema), Given.value("component", component));
    }

    /** For a schema without the component, which is made if it is not there. */
    public String whole() {
        String made = block(filled(SCHEMA, schema.quoted(), literal(schema.value())));
        return script(0, made + "\n" + history(HISTORY) + "\n");
    }

    /**
     * For a schema at a version; the script checks that it is.
     *
     * @param version 1 to the component's
     * @return without any migration if it is the component's
     */
    public String from(int version) {
        if (version < 1 || version > component.version()) {
            throw new InvalidValueException("version", "be 1 to " + component.version());
        }
        String guard = block(filled(FROM, schema.quoted(), component.historyTable(), version, component.name()));
        return script(version, guard + "\n");
    }

    private String block(String statement) {
        String quote = "$guard$";
        while (schema.value().contains(quote)) {
            quote = quote.substring(0, quote.length() - 1) + "_$";
        }
        return "do " + quote + " begin\n    " + statement + "\nend " + quote + ";\n";
    }

    private String script(int from, String first) {
        StringBuilder sql = new StringBuilder(filled(
                "-- Component %s, version %d to %d. One transaction: all of it or nothing.\n",
                component.name(), from, component.version()));
        sql.append("begin;\nset local lock_timeout = '60s';\n")
                .append(MigrationLock.LOCK.replace("?", literal(schema.value())))
                .append(";\n\n")
                .append(first);
        for (Migration migration : component.migrations().subList(from, component.version())) {
            sql.append("-- ")
                    .append(migration.file())
                    .append('\n')
                    .append(text(migration))
                    .append('\n');
            sql.append(recorded(migration)).append('\n');
        }
        return sql.append("commit;\n").toString();
    }

    /** With the digits of SQL, which are not those of every locale. */
    private static String filled(String template, Object... values) {
        return String.format(Locale.ROOT, template, values);
    }

    private String history(String template) {
        return filled(template, schema.quoted(), component.historyTable(), component.historyTable());
    }

    private String text(Migration migration) {
        String sql = migration.sql().replace("\r\n", "\n").replace("${schema}", schema.quoted());
        return sql.endsWith("\n") ? sql : sql + "\n";
    }

    private String recorded(Migration migration) {
        return filled(
                "insert into %s.%s (installed_rank, version, description, type, script, checksum, installed_by,"
                        + " execution_time, success)\n    values (%d, '%d', '%s', 'SQL', '%s', %d, current_user, 0, true);\n",
                schema.quoted(),
                component.historyTable(),
                migration.version(),
                migration.version(),
                migration.description(),
                migration.file(),
                migration.checksum());
    }

    private static String literal(String text) {
        return text.contains("\\")
                ? "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
                : "'" + text.replace("'", "''") + "'";
    }
}
