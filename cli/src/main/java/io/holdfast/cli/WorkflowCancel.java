package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Component;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = {
            "Asks for a workflow to be cancelled. Its worker sees that between two steps and stops; nothing is stopped by force.",
            "",
            "No later write of the state takes the request back. If it was asked for before, the first request stands and"
                    + " nothing is noted. Notes who did it and why in table operator_action, by the same statement."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast workflow cancel order-1001 --reason 'customer has called, ticket 4711'",
            "  holdfast workflow cancel order-1001 --scope acme --reason 'duplicate' --yes --json",
        })
final class WorkflowCancel extends DatabaseCommand {

    @Parameters(paramLabel = "ID", description = "The workflow's id.")
    private String id = "";

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    @Mixin
    private final Confirmation confirmation = new Confirmation();

    WorkflowCancel(Host host) {
        super(host);
    }

    private static final String CANCEL = """
            with given as materialized (
              select cast(? as text) collate "C" as scope, cast(? as text) collate "C" as id, cast(? as uuid) as incarnation,
                     cast(? as text) as done_by, cast(? as text) as reason),
            stored as materialized (
              select w.incarnation, w.status, w.revision, w.cancel_requested_at, w.updated_at from {schema}.workflow w, given g
               where w.scope = g.scope and w.id = g.id for no key update of w),
            judged as materialized (
              select clock_timestamp() as at,
                     case when t.status is null or t.incarnation <> g.incarnation then 'NOT_FOUND'
                          when t.status in ('succeeded', 'failed', 'closed') then 'ENDED'
                          when t.cancel_requested_at is not null then 'ALREADY'
                          else 'DONE' end as verdict
                from (select count(*) from stored) first cross join given g left join stored t on true),
            requested as (   -- not the revision: a worker's next write must neither fail for it nor undo it
              update {schema}.workflow w set cancel_requested_at = j.at, cancel_reason = g.reason from judged j, given g
               where j.verdict = 'DONE' and w.scope = g.scope and w.id = g.id returning w.id),
            noted as (   -- of what was done, so never of a race that was lost
              insert into {schema}.operator_action (scope, done_at, done_by, action, target, reason, before)
              select g.scope, j.at, g.done_by, 'workflow cancel', g.id, g.reason,
                     jsonb_build_object('status', t.status, 'revision', t.revision, 'updated_at', t.updated_at)
                from requested r, judged j, given g, stored t returning id)
            select case when n.id is null and j.verdict = 'DONE' then 'NOT_FOUND' else j.verdict end as verdict, j.at, n.id
              from judged j left join noted n on true
            """;

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        LeaseKey.ofWorkflow(id);
        String reason = confirmation.reason();
        String by = confirmation.by(host());
        WorkflowFound seen = database.read("workflow cancel", session -> {
            requireTables(session, Component.core());
            requireTables(session, OperationsComponent.COMPONENT);
            return WorkflowFound.find(session, whose, id).orElseThrow(() -> WorkflowShow.notFound(id, whose));
        });
        Deed deed = seen.hasEnded() || seen.cancelRequestedAt() != null
                ? new Deed(seen.hasEnded() ? "ENDED" : "ALREADY", seen.updatedAt(), null)
                : asked(database, whose, seen, by, reason);
        switch (deed.verdict()) {
            case "DONE", "ALREADY" -> {}
            case "ENDED" -> throw Refusal.notAsAsked("ENDED", "nothing was done: the workflow has ended already");
            default ->
                throw Refusal.notAsAsked("NOT_FOUND", "nothing was done: the workflow is gone, or was created anew");
        }
        boolean done = deed.done();
        answer.value("requested", done)
                .value("already_requested", !done)
                .value("scope", whose.id())
                .value("id", id);
        if (done) {
            deed.tell(answer, by, "asked for; its worker stops between two steps");
        } else {
            answer.value("done_at", null)
                    .value("done_by", null)
                    .value("operator_action", null)
                    .line("nothing was done: it was asked for before, and the first request stands");
        }
        return ExitStatus.OK;
    }

    private Deed asked(Database database, Scope whose, WorkflowFound seen, String by, String reason) {
        confirmation.ask(
                host(),
                "This asks for workflow " + id + " " + ScopeOption.of(whose) + " to be cancelled,",
                "which is " + seen.status() + " at revision " + seen.revision()
                        + (seen.holder() == null
                                ? " and in nobody's hands."
                                : " and in the hands of " + seen.holder() + "."),
                "Nobody can take that back.");
        return database.write(
                "workflow cancel",
                session -> session.first(CANCEL, Deed::of, whose.id(), id, seen.incarnation(), by, reason)
                        .orElseThrow());
    }
}
