package io.holdfast.cli;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.migrations.SchemaStatus;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "status",
        description = {
            "Says how the tables of each component stand to this release. Changes nothing.",
            "",
            "current and ahead can be worked with; everything else is exit status 1:",
            "missing or pending (run `holdfast db migrate`), newer (use a newer release), damaged (changed by hand, or a"
                    + " changed file), unknown (a component that is not in this jar)."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast db status",
            "  holdfast db status --json || echo 'not ready'",
        })
final class DbStatus extends DatabaseCommand {

    DbStatus(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        Components components = Components.installed();
        Map<String, SchemaStatus> statuses =
                Migrator.of(database.dataSource(), database.schema()).status(components);
        Map<String, Integer> supported = new HashMap<>();
        components.forEach(component -> supported.put(component.name(), component.version()));
        Table table = new Table("component", "status", "version", "supported", "says");
        statuses.forEach((name, status) -> table.add(
                name,
                SchemaText.name(status),
                SchemaText.version(status),
                supported.get(name),
                SchemaText.says(status)));
        boolean works = statuses.values().stream().allMatch(SchemaStatus::works);
        answer.value("schema", database.schema().value())
                .value("works", works)
                .table("components", table, "no components");
        return works ? ExitStatus.OK : ExitStatus.NOT_AS_ASKED;
    }

    static Component named(Components components, String name) {
        return components.inOrder().stream()
                .filter(component -> component.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusal.usage("--component is one of "
                        + String.join(
                                ", ",
                                components.inOrder().stream()
                                        .map(Component::name)
                                        .toList())));
    }
}
