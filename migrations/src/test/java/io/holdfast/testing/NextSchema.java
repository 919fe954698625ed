package io.holdfast.testing;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the next release may do to the tables while processes of this one run: a column and an index more on each, and a table
 * beside them. Made up, for as long as there is no next release.
 */
public final class NextSchema {

    private NextSchema() {}

    /** The same components, each with a version more that says that this release works with it. */
    public static Components after(Components present) {
        return Components.of(present.inOrder().stream().map(NextSchema::after).toArray(Component[]::new));
    }

    private static Component after(Component present) {
        int version = present.version() + 1;
        StringBuilder sql = new StringBuilder();
        for (String table : present.tables()) {
            sql.append("alter table ${schema}.%s add column made_up text default 'of the next release';\n"
                            .formatted(table))
                    .append("create index %1$s_made_up_index on ${schema}.%1$s (scope, made_up);\n".formatted(table));
        }
        sql.append("create table ${schema}.made_up_of_%s (scope text collate \"C\" primary key);\n"
                        .formatted(present.name()))
                .append("comment on table ${schema}.%s is 'version %d works with version %d';\n"
                        .formatted(present.historyTable(), version, present.version()));
        List<Migration> migrations = new ArrayList<>(present.migrations());
        migrations.add(Migration.of("V" + version + "__made_up.sql", sql.toString()));
        return new Component(present.name(), migrations, present.after());
    }
}
