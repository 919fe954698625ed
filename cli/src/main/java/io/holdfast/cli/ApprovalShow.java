package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.codec.Identifier;
import io.holdfast.migrations.Components;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description =
                "Shows an approval, and what operators did to it. Not its payload and its answer, which may hold anything.",
        footer = {
            "",
            "Examples:",
            "  holdfast approval show refund-17",
            "  holdfast approval show refund-17 --scope acme --json",
        })
final class ApprovalShow extends DatabaseCommand {

    @Parameters(paramLabel = "ID", description = "The approval's id.")
    private String id = "";

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    ApprovalShow(Host host) {
        super(host);
    }

    private record Found(ApprovalFound approval, Table actions) {}

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        Identifier.text("ID", id, 1, ApprovalRequest.MAX_ID_BYTES);
        Found found = database.read("approval show", session -> {
            requireTables(session, Components.own());
            return new Found(
                    ApprovalFound.find(session, whose, id).orElseThrow(() -> notFound(id, whose)),
                    OperatorActions.of(session, whose, "approval settle", id));
        });
        answer.facts("approval", found.approval().facts());
        OperatorActions.print(answer, found.actions());
        return ExitStatus.OK;
    }

    static Refusal notFound(String id, Scope scope) {
        return Refusal.notAsAsked(
                "NOT_FOUND", "no approval " + Cell.safe(id) + " " + ScopeOption.of(scope) + "; --scope names another");
    }
}
