package io.holdfast.cli;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.SchemaName;
import io.holdfast.migrations.SchemaScript;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "print",
        description = {
            "Prints the SQL that `holdfast db migrate` would run, to read and to run by hand. Needs no database.",
            "",
            "Each component is one transaction, in the order in which they rely on each other. The schema is that of"
                    + " HOLDFAST_SCHEMA, or holdfast. The script also writes the history, so that `holdfast db status` and"
                    + " later migrations go on from it."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast db print > tables.sql && psql -v ON_ERROR_STOP=1 -f tables.sql",
            "  holdfast db print --component core --from 1   # only what came after version 1",
        })
final class DbPrint implements Callable<Integer> {

    private final Host host;

    @Mixin
    private final ComponentOption component = new ComponentOption();

    @Option(
            names = "--from",
            paramLabel = "VERSION",
            description =
                    "For a database that is at this version of the component; the script checks that. Without it: for one"
                            + " that has none of it.")
    private @Nullable Integer from;

    DbPrint(Host host) {
        this.host = host;
    }

    @Override
    public Integer call() {
        Integer version = from;
        if (version != null && !component.isOne()) {
            throw Refusal.usage("--from is a version of one component: name that with --component");
        }
        SchemaName schema = GivenSettings.of(host.environment(), null).schema();
        for (Component each : component.of(Components.installed())) {
            SchemaScript script = SchemaScript.of(schema, each);
            host.out().println(version == null ? script.whole() : script.from(version));
        }
        return ExitStatus.OK;
    }
}
