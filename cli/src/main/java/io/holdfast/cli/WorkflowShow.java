package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Component;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description =
                "Shows a workflow, its lease, and what operators did to it. Not its snapshot, which may hold anything.",
        footer = {
            "",
            "Examples:",
            "  holdfast workflow show order-1001",
            "  holdfast workflow show order-1001 --scope acme --json",
        })
final class WorkflowShow extends DatabaseCommand {

    @Parameters(paramLabel = "ID", description = "The workflow's id.")
    private String id = "";

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    WorkflowShow(Host host) {
        super(host);
    }

    private record Found(WorkflowFound workflow, Optional<LeaseFound> lease, Table actions) {}

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        LeaseKey key = LeaseKey.ofWorkflow(id);
        Found found = database.read("workflow show", session -> {
            requireTables(session, Component.core());
            return new Found(
                    WorkflowFound.find(session, whose, id).orElseThrow(() -> notFound(id, whose)),
                    LeaseFound.find(session, whose, key),
                    OperatorActions.of(session, whose, "workflow cancel", id));
        });
        answer.facts("workflow", found.workflow().facts());
        if (found.lease().isPresent()) {
            answer.line("")
                    .line(Style.HEADING, "Its lease:")
                    .facts("lease", found.lease().get().facts());
        } else {
            answer.value("lease", null);
        }
        OperatorActions.print(answer, found.actions());
        return ExitStatus.OK;
    }

    static Refusal notFound(String id, Scope scope) {
        return Refusal.notAsAsked(
                "NOT_FOUND", "no workflow " + Cell.safe(id) + " " + ScopeOption.of(scope) + "; --scope names another");
    }
}
