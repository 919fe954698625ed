package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Component;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows a lease and what operators did to it.",
        footer = {
            "",
            "Examples:",
            "  holdfast lease show workflow order-1001",
            "  holdfast lease show report monthly --scope acme --json",
        })
final class LeaseShow extends DatabaseCommand {

    @Parameters(index = "0", paramLabel = "KIND", description = "workflow, run, or a kind of the application's.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Which one of that kind.")
    private String id = "";

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    LeaseShow(Host host) {
        super(host);
    }

    private record Found(LeaseFound lease, Table actions) {}

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        LeaseKey key = new LeaseKey(kind, id);
        Found found = database.read("lease show", session -> {
            requireTables(session, Component.core());
            return new Found(
                    LeaseFound.find(session, whose, key).orElseThrow(() -> notFound(key, whose)),
                    OperatorActions.of(session, whose, "lease break", kind + " " + id));
        });
        answer.facts("lease", found.lease().facts());
        OperatorActions.print(answer, found.actions());
        return ExitStatus.OK;
    }

    static Refusal notFound(LeaseKey key, Scope scope) {
        return Refusal.notAsAsked(
                "NOT_FOUND",
                "no lease " + key.kind() + " " + Cell.safe(key.id()) + " " + ScopeOption.of(scope)
                        + "; --scope names another");
    }
}
