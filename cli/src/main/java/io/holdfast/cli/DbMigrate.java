package io.holdfast.cli;

import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migration;
import io.holdfast.migrations.Migrator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "migrate",
        description = {
            "Makes the schema if it is missing and brings its tables to what this release needs.",
            "",
            "All components are looked at before the first is touched: if one is newer or damaged, none is changed. Any number"
                    + " of processes may migrate at once. Needs a direct connection, not one through a pooler in transaction"
                    + " mode, and a role that may create tables. Broken off, it is finished by running it again. With --component"
                    + " also those that it relies on."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast db migrate",
            "  holdfast db migrate --component core",
            "  holdfast db print > tables.sql   # for people who run such SQL themselves",
        })
final class DbMigrate extends DatabaseCommand {

    @Mixin
    private final ComponentOption component = new ComponentOption();

    DbMigrate(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        Components components = component.withThoseReliedOn(Components.installed());
        Map<String, List<Migration>> applied;
        try (Progress progress = Progress.of(host(), "migrating, or waiting for somebody else who does")) {
            applied = Migrator.of(database.dataSource(), database.schema()).migrate(components);
        }
        Table table = new Table("component", "version", "file");
        applied.forEach((name, migrations) ->
                migrations.forEach(migration -> table.add(name, migration.version(), migration.file())));
        answer.value("schema", database.schema().value()).table("applied", table, "nothing to do");
        return ExitStatus.OK;
    }
}
