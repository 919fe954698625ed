package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.codec.Identifier;
import io.holdfast.migrations.Components;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "settle",
        description = {
            "Withdraws an approval that nobody will decide or consume any more, as one that a crash has left.",
            "",
            "It can then neither be decided nor consumed. A run that waits for it hears that it was withdrawn; what that means is"
                    + " up to its engine. One that was rejected or consumed is settled already: of a consumed one the step's effect"
                    + " may be in doubt, which holdfast effect list shows. Notes who did it and why in table operator_action, by"
                    + " the same statement."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast approval settle refund-17 --reason 'its run is gone, ticket 4711'",
            "  holdfast approval settle refund-17 --scope acme --reason 'asked twice' --yes --json",
        })
final class ApprovalSettle extends DatabaseCommand {

    private static final int MAX_BY_BYTES = ApprovalRequest.MAX_NAME_BYTES;

    @Parameters(paramLabel = "ID", description = "The approval's id.")
    private String id = "";

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    @Mixin
    private final Confirmation confirmation = new Confirmation();

    ApprovalSettle(Host host) {
        super(host);
    }

    // Only what was shown to the operator is withdrawn: the same call, and as it stood.
    private static final String SETTLE = """
            with given as materialized (
              select cast(? as text) collate "C" as scope, cast(? as text) collate "C" as id, cast(? as text) as digest,
                     cast(? as text) as state, cast(? as text) as done_by, cast(? as text) as reason),
            stored as materialized (
              select a.run_id, a.status, a.digest, a.expires_at, a.decided_by from {schema}.approval a, given g
               where a.scope = g.scope and a.id = g.id for no key update of a),
            judged as materialized (
              select clock_timestamp() as at,
                     case when t.status is null or t.digest <> g.digest then 'NOT_FOUND'
                          when t.status in ('rejected', 'consumed', 'withdrawn') then upper(t.status)
                          when t.status <> g.state then 'DECIDED'
                          else 'DONE' end as verdict
                from (select count(*) from stored) first cross join given g left join stored t on true),
            settled as (
              update {schema}.approval a
                 set status = 'withdrawn', withdrawn_by = g.done_by, withdrawn_reason = g.reason, withdrawn_at = j.at,
                     heard = false   -- what was approved, and heard, is not any more
                from judged j, given g where j.verdict = 'DONE' and a.scope = g.scope and a.id = g.id returning a.id),
            noted as (   -- of what was done, so never of a race that was lost
              insert into {schema}.operator_action (scope, done_at, done_by, action, target, reason, before)
              select g.scope, j.at, g.done_by, 'approval settle', g.id, g.reason,
                     jsonb_build_object('state', t.status, 'run', t.run_id, 'digest', t.digest, 'decided_by', t.decided_by,
                                        'expires_at', t.expires_at)
                from settled s, judged j, given g, stored t returning id)
            select j.verdict, j.at, n.id from judged j left join noted n on true
            """;

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        Identifier.text("ID", id, 1, ApprovalRequest.MAX_ID_BYTES);
        String reason = confirmation.reason();
        String by = Identifier.text("--by", confirmation.by(host()), 1, MAX_BY_BYTES);
        ApprovalFound seen = database.read("approval settle", session -> {
            requireTables(session, Components.own());
            requireTables(session, OperationsComponent.COMPONENT);
            return ApprovalFound.find(session, whose, id).orElseThrow(() -> ApprovalShow.notFound(id, whose));
        });
        if (!seen.state().equals("pending") && !seen.state().equals("approved")) {
            throw settled(seen.state().toUpperCase(Locale.ROOT));
        }
        confirmation.ask(
                host(),
                "This withdraws the approval " + Cell.safe(id) + " " + ScopeOption.of(whose) + ", for run "
                        + Cell.safe(seen.run()) + ",",
                "which is " + seen.state() + (seen.decidedBy() == null ? "" : " by " + Cell.safe(seen.decidedBy()))
                        + (seen.expired() ? " and whose time is over." : "."),
                "It can then neither be decided nor consumed. Nobody can take that back.");
        Deed deed = database.write(
                "approval settle",
                session -> session.first(
                                SETTLE, Deed::of, whose.id(), id, seen.facts().get("digest"), seen.state(), by, reason)
                        .orElseThrow());
        if (!deed.done()) {
            throw settled(deed.verdict());
        }
        answer.value("settled", true).value("scope", whose.id()).value("id", id).value("was", seen.state());
        deed.tell(answer, by, "withdrawn: it was " + seen.state());
        return ExitStatus.OK;
    }

    private static Refusal settled(String verdict) {
        return Refusal.notAsAsked(
                verdict,
                "nothing was done: "
                        + switch (verdict) {
                            case "REJECTED" -> "it was rejected";
                            case "CONSUMED" ->
                                "it was consumed; what came of that is in its run's journal: holdfast effect list";
                            case "WITHDRAWN" -> "it was withdrawn before";
                            case "DECIDED" -> "somebody has decided it meanwhile; look again";
                            default -> "the approval is gone, or was registered anew";
                        });
    }
}
