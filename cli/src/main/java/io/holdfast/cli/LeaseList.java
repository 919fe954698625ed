package io.holdfast.cli;

import io.holdfast.migrations.Component;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "Lists leases by scope, kind and id.",
            "",
            "held: its owner may write. expired: its time is over, and nobody has taken it since. free: released. Times are by"
                    + " the database's clock."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast lease list --state held",
            "  holdfast lease list --state expired --kind workflow --json",
        })
final class LeaseList extends ListCommand {

    /** How a lease stands. */
    enum State {
        HELD,
        EXPIRED,
        FREE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--state", paramLabel = "STATE", description = "Only those that are ${COMPLETION-CANDIDATES}.")
    private @Nullable State state;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only those of this kind, as workflow.")
    private @Nullable String kind;

    LeaseList(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        String wanted = state == null ? null : state.toString();
        List<LeaseFound> rows = database.read("lease list", session -> {
            requireTables(session, Component.core());
            return LeaseFound.list(session, scope.orAll(), kind, wanted, page.place("", "", ""), page.fetched());
        });
        page.print(answer, "leases", rows, LeaseFound.COLUMNS);
        return ExitStatus.OK;
    }
}
