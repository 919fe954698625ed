package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Component;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "break",
        description = {
            "Takes a lease from its holder, for when that one hangs and its time is long.",
            "",
            "The holder is fenced off: from then on it can write nothing under the lease, and hears so when it tries or renews."
                    + " Whoever asks next is granted a greater token. A write of the holder that is under way is waited for."
                    + " What the holder does outside of the database goes on: stop the process too. Notes who did it and why"
                    + " in table operator_action, by the same statement."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast lease break workflow order-1001 --reason 'worker-7 hangs, ticket 4711'",
            "  holdfast lease break report monthly --scope acme --reason 'host is gone' --yes --json",
        })
final class LeaseBreak extends DatabaseCommand {

    @Parameters(index = "0", paramLabel = "KIND", description = "workflow, run, or a kind of the application's.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Which one of that kind.")
    private String id = "";

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    @Mixin
    private final Confirmation confirmation = new Confirmation();

    LeaseBreak(Host host) {
        super(host);
    }

    // Only what was shown to the operator is broken: the same owner under the same token.
    private static final String BREAK = """
            with given as materialized (
              select cast(? as text) collate "C" as scope, cast(? as text) collate "C" as kind, cast(? as text) collate "C" as id,
                     cast(? as text) collate "C" as owner, cast(? as bigint) as token, cast(? as text) as done_by,
                     cast(? as text) as reason),
            held as materialized (   -- for update: waits for fenced writes; none commits under this fence afterwards
              select x.owner, x.token, x.ttl_ms, x.granted_at, x.expires_at from {schema}.lease x, given g
               where x.scope = g.scope and x.kind = g.kind and x.id = g.id for update of x),
            moment as materialized (select clock_timestamp() as at from (select count(*) from held) first),
            judged as materialized (
              select m.at, case when h.token is null then 'NOT_FOUND'
                                when h.owner is null then 'FREE'
                                when h.owner <> g.owner or h.token <> g.token then 'TAKEN_OVER'
                                when h.expires_at <= m.at then 'EXPIRED'
                                else 'DONE' end as verdict
                from moment m cross join given g left join held h on true),
            broken as (   -- the token stays, so that the next one is greater
              update {schema}.lease x set owner = null, expires_at = j.at from judged j, given g
               where j.verdict = 'DONE' and x.scope = g.scope and x.kind = g.kind and x.id = g.id returning x.token),
            noted as (   -- of what was done, so never of a race that was lost
              insert into {schema}.operator_action (scope, done_at, done_by, action, target, reason, before)
              select g.scope, j.at, g.done_by, 'lease break', g.kind || ' ' || g.id, g.reason,
                     jsonb_build_object('owner', h.owner, 'token', h.token, 'ttl_ms', h.ttl_ms, 'granted_at', h.granted_at,
                                        'expires_at', h.expires_at)
                from broken b, judged j, given g, held h returning id)
            select case when n.id is null and j.verdict = 'DONE' then 'NOT_FOUND' else j.verdict end as verdict, j.at, n.id
              from judged j left join noted n on true
            """;

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        LeaseKey key = new LeaseKey(kind, id);
        String reason = confirmation.reason();
        String by = confirmation.by(host());
        LeaseFound seen = database.read("lease break", session -> {
            requireTables(session, Component.core());
            requireTables(session, OperationsComponent.COMPONENT);
            return LeaseFound.find(session, whose, key).orElseThrow(() -> LeaseShow.notFound(key, whose));
        });
        if (!seen.state().equals("held")) {
            throw notHeld(seen.state().equals("free") ? "FREE" : "EXPIRED");
        }
        confirmation.ask(
                host(),
                "This breaks the lease " + kind + " " + Cell.safe(id) + " " + ScopeOption.of(whose) + ",",
                "held by " + seen.owner() + " under token " + seen.token() + " since " + Cell.text(seen.grantedAt())
                        + " and for another " + seen.secondsLeft() + " s unless renewed.",
                seen.owner() + " can write nothing more under it. What it does outside of the database goes on.");
        Deed deed = database.write(
                "lease break",
                session -> session.first(BREAK, Deed::of, whose.id(), kind, id, seen.owner(), seen.token(), by, reason)
                        .orElseThrow());
        if (!deed.done()) {
            throw notHeld(deed.verdict());
        }
        answer.value("broken", true)
                .value("scope", whose.id())
                .value("kind", kind)
                .value("id", id)
                .value("owner", seen.owner())
                .value("token", seen.token());
        deed.tell(answer, by, "broken: " + seen.owner() + " under token " + seen.token() + " is fenced off");
        return ExitStatus.OK;
    }

    private static Refusal notHeld(String verdict) {
        return Refusal.notAsAsked(
                verdict,
                "nothing was done: "
                        + switch (verdict) {
                            case "FREE" -> "the lease is free";
                            case "EXPIRED" -> "the lease has expired, so that it keeps nobody out";
                            case "TAKEN_OVER" -> "it has passed into other hands meanwhile; look again";
                            default -> "the lease is gone";
                        });
    }
}
