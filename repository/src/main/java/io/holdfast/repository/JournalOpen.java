package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.TokensExhaustedException;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.Optional;

/** A new run and its lease, both or neither. */
final class JournalOpen {

    private JournalOpen() {}

    private static final Statement<RunGrant> OPEN = Statement.returning(RunGrant.class, """
            with {patience},
            given as materialized (select cast(:state as text) as state, cast(:origin as text) as origin),
            known as materialized (select e.status from {execution} e where e.scope = :scope and e.id = :id),
            seen as materialized (
              select x.owner, x.expires_at from {lease} x where x.scope = :scope and x.kind = 'run' and x.id = :id),
            held as materialized (   -- as an acquire locks it; of a run that there is already nothing is locked
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'run' and x.id = :id and not exists (select from known)
                 and not exists (select from seen where owner <> :owner and expires_at > clock_timestamp())
                 for update of x),
            floor as materialized (
              select f.floor from {lease_floor} f, (select count(*) from patience) first
               where f.scope = :scope and not exists (select from known) and not exists (select from seen) for share of f),
            moment as materialized (
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from floor) second),
            fresh as (   -- the lease's row before the run's: a rival that opens the same run is met here
              insert into {lease} as x (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)
              select :scope, 'run', :id, :owner, f.floor + 1, :ttl, m.at, m.at + :ttl * interval '1 millisecond'
                from floor f, moment m
              on conflict (scope, kind, id) do nothing
              returning x.token, x.granted_at, x.expires_at),
            free as materialized (   -- what its owner consumed before, under the lease that it still has, is this run's
              select m.at, f.token as since from fresh f, moment m   -- not after a wait: part of its time is gone
               where f.expires_at > clock_timestamp() + :ttl * interval '0.9 milliseconds'
              union all
              select m.at, case when h.owner = :owner then h.token else h.token + 1 end from held h, moment m
               where (h.owner is null or h.owner = :owner or h.expires_at <= m.at) and h.token < 9223372036854775807),
            made as (
              insert into {execution} as e (scope, id, kind, parent_id, origin, definition_digest, status, opened_token, state,
                     state_version, created_at, updated_at)
              select :scope, :id, :kind, :parent, g.origin, :digest, 'running', f.since, g.state, :state_version, f.at, f.at
                from free f, given g
              on conflict (scope, id) do nothing
              returning e.status, e.revision, e.events, e.updated_at),
            left_over as materialized (   -- by a former run of that id, undecided: this one may wait for it. Who is at it says so
              select a.id from {approval} a, made
               where a.scope = :scope and a.run_id || '/' = :id || '/' and a.status = 'pending' and a.heard   -- approval_unsettled
                 for no key update of a skip locked),
            unheard as (   -- by an array: joined, the whole scope might be read for a few
              update {approval} a set heard = false
               where a.scope = :scope and a.id = any(array(select l.id from left_over l))),
            taken as (
              update {lease} x set owner = :owner, token = h.token + 1, ttl_ms = :ttl,
                     granted_at = m.at, expires_at = m.at + :ttl * interval '1 millisecond'
                from held h, moment m, made
               where x.scope = :scope and x.kind = 'run' and x.id = :id
              returning x.token, x.granted_at, x.expires_at),
            granted as (select * from fresh union all select * from taken)
            select case when k.status is not null then 'TAKEN'
                        when n.revision is not null then 'DONE'
                        when g.token is not null then 'AGAIN'
                        when h.token = 9223372036854775807
                             and (h.owner is null or h.owner = :owner or h.expires_at <= m.at) then 'EXHAUSTED'
                        when coalesce(h.expires_at, s.expires_at) > clock_timestamp() then 'BUSY'
                        when s.expires_at is null and f.floor is null then 'NO_FLOOR'
                        else 'AGAIN' end as verdict,
                   cast(null as text) as definition_digest, cast(null as bigint) as journal_version,
                   coalesce(n.status, k.status) as status, n.revision, n.events, n.updated_at,
                   cast(:owner as text) as owner, g.token, cast(:ttl as bigint) as ttl_ms, g.granted_at, g.expires_at,
                   cast(extract(epoch from coalesce(g.expires_at, h.expires_at, s.expires_at) - clock_timestamp()) * 1000000
                        as bigint) as remaining_micros
              from moment m left join granted g on true left join made n on true left join known k on true
                   left join held h on true left join seen s on true left join floor f on true
            """);

    static Opened run(Transactions transactions, Scope scope, NewRun run, String owner, Duration ttl) {
        return Again.until("journal.open", () -> {
            RunGrant row = transactions.single(
                    "journal.open",
                    Effect.WRITE,
                    s -> s.call(OPEN)
                            .set("scope", scope.id())
                            .set("id", run.id())
                            .set("kind", run.kind().wire())
                            .set("parent", run.parentId().orElse(null))
                            .set("origin", run.origin())
                            .set("digest", run.definitionDigest())
                            .set("state", run.state())
                            .set("state_version", (long) run.stateVersion())
                            .set("owner", owner)
                            .set("ttl", ttl.toMillis())
                            .row());
            return switch (row.verdict()) {
                case "DONE" -> Optional.of(new Opened.Done(row.head(run.id()), row.lease(run.id())));
                case "TAKEN" -> Optional.of(new Opened.Taken(Wire.runStatus(run.id(), row.status())));
                case "BUSY" -> Optional.of(new Opened.Busy(row.remaining()));
                case "EXHAUSTED" -> throw new TokensExhaustedException(LeaseKey.ofRun(run.id()));
                case "NO_FLOOR" -> RunGrant.layFloor(transactions, scope, "journal.open");
                default -> Optional.empty();
            };
        });
    }
}
