package io.holdfast.cli;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.migrations.SchemaStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description = {
            "Says how the tables of each component stand to this release. Changes nothing.",
            "",
            "current and ahead can be worked with. That the tool's own component, operations, is missing is said, and no fault:"
                    + " applications do without. Everything else is exit status 1:",
            "missing or pending (run `holdfast db migrate`), newer (use a newer release), damaged (changed by hand, or a"
                    + " changed file), unknown (a component that is not in this jar)."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast db status",
            "  holdfast db status --component core   # whatever else is there or not",
            "  holdfast db status --json || echo 'not ready'",
        })
final class DbStatus extends DatabaseCommand {

    @Mixin
    private final ComponentOption component = new ComponentOption();

    DbStatus(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        Components components = Components.installed();
        List<Component> wanted = component.of(components);
        Map<String, SchemaStatus> statuses =
                Migrator.of(database.dataSource(), database.schema()).status(components);
        Map<String, Integer> supported = new HashMap<>();
        wanted.forEach(each -> supported.put(each.name(), each.version()));
        if (component.isGiven()) {
            statuses.keySet().retainAll(supported.keySet());
        }
        Table table = new Table("component", "status", "version", "supported", "says");
        statuses.forEach((name, status) -> table.add(
                name, SchemaText.name(status), SchemaText.version(status), supported.get(name), says(name, status)));
        boolean works = statuses.entrySet().stream().allMatch(each -> works(each.getKey(), each.getValue()));
        answer.value("schema", database.schema().value())
                .value("works", works)
                .table("components", table, "no components");
        return works ? ExitStatus.OK : ExitStatus.NOT_AS_ASKED;
    }

    /** An application does without what only this tool writes to; whoever names it wants it. */
    private boolean works(String name, SchemaStatus status) {
        return status.works() || (isOwn(name, status) && !component.isGiven());
    }

    private static boolean isOwn(String name, SchemaStatus status) {
        return status instanceof SchemaStatus.Missing && name.equals(OperationsComponent.COMPONENT.name());
    }

    private static String says(String name, SchemaStatus status) {
        return isOwn(name, status)
                ? "of this tool alone, for lease break, workflow cancel and approval settle: holdfast db migrate"
                : SchemaText.says(status);
    }
}
