package io.holdfast.cli;

import io.holdfast.migrations.Components;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "Lists approvals by scope and id.",
            "",
            "pending: waits for a person. approved: decided, and not consumed: about to be, or left behind by a crash."
                    + " rejected, consumed and withdrawn are for good. The effect is that of the step that consumed it: pending or"
                    + " indeterminate says that nobody knows what came of it."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast approval list --state approved",
            "  holdfast approval list --state pending --expired --scope acme --json",
        })
final class ApprovalList extends ListCommand {

    /** How an approval stands. */
    enum State {
        PENDING,
        APPROVED,
        REJECTED,
        CONSUMED,
        WITHDRAWN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--state", paramLabel = "STATE", description = "Only those that are ${COMPLETION-CANDIDATES}.")
    private @Nullable State state;

    @Option(names = "--run", paramLabel = "ID", description = "Only those of this run.")
    private @Nullable String run;

    @Option(names = "--expired", description = "Only those whose time is over.")
    private boolean expired;

    ApprovalList(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        String wanted = state == null ? null : state.toString();
        List<ApprovalFound> rows = database.read("approval list", session -> {
            requireTables(session, Components.own());
            return ApprovalFound.list(session, scope.orAll(), wanted, run, expired, page.place("", ""), page.fetched());
        });
        page.print(answer, "approvals", rows, ApprovalFound.COLUMNS);
        return ExitStatus.OK;
    }
}
