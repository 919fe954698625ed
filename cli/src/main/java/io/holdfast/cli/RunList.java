package io.holdfast.cli;

import io.holdfast.migrations.Components;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "Lists runs by scope and id: what the journal, the checkpoints, the agents' checkpoints and the store of runs have of"
                    + " each, a line for each store.",
            "",
            "The lease is the run's own, of kind run. held: its owner is at work. expired: its owner is gone, and nobody has"
                    + " taken the run over. free: given back. none: there is no row of it."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast run list --crashed",
            "  holdfast run list --status paused --scope acme --json",
        })
final class RunList extends ListCommand {

    @Option(names = "--status", paramLabel = "STATUS", description = "Only those in this status, in any case.")
    private @Nullable String status;

    @Option(
            names = "--crashed",
            description =
                    "Only those that nobody is at work on and somebody should be, as recovery finds them: left by whoever"
                            + " was, or paused, answered and not woken.")
    private boolean crashed;

    RunList(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        List<RunFound> rows = database.read("run list", session -> {
            requireTables(session, Components.own());
            return RunFound.list(session, crashed, scope.orAll(), status, page.place("", "", ""), page.fetched());
        });
        page.print(answer, "runs", rows, RunFound.COLUMNS);
        return ExitStatus.OK;
    }
}
