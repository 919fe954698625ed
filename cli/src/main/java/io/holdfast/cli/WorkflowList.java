package io.holdfast.cli;

import io.holdfast.migrations.Component;
import io.holdfast.state.WorkflowStatus;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists workflows, oldest first within each scope, and who holds their leases now.",
        footer = {
            "",
            "Examples:",
            "  holdfast workflow list --status running",
            "  holdfast workflow list --scope acme --label customer=harbour-books --json",
        })
final class WorkflowList extends ListCommand {

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "Only those that are created, queued, running, succeeded, failed or closed.")
    private @Nullable String status;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Only those with this label.")
    private @Nullable String label;

    WorkflowList(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        String wanted = status == null
                ? null
                : WorkflowStatus.of(status.toLowerCase(Locale.ROOT)).wire();
        String[] parts = label == null ? new String[0] : label.split("=", 2);
        if (label != null && parts.length != 2) {
            throw Refusal.usage("--label is NAME=VALUE");
        }
        List<WorkflowFound> rows = database.read("workflow list", session -> {
            requireTables(session, Component.core());
            return WorkflowFound.list(
                    session,
                    scope.orAll(),
                    wanted,
                    label == null ? null : parts[0],
                    label == null ? null : parts[1],
                    page.place("", "-infinity", ""),
                    page.fetched());
        });
        page.print(answer, "workflows", rows, WorkflowFound.COLUMNS);
        return ExitStatus.OK;
    }
}
