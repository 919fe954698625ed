package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.UnsupportedVersionException;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunLeases;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.TokensExhaustedException;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.Optional;

/** Claims of runs, and the list of those that want one. The lease is a row of table {@code lease}, as any other. */
final class JpaRunLeases implements RunLeases {

    /** The format of the journal's rows that this release writes, and the newest that it reads. */
    static final long JOURNAL_VERSION = 1;

    private final Transactions transactions;
    private final Scope scope;

    JpaRunLeases(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private static final Statement<RunGrant> CLAIM = Statement.returning(RunGrant.class, """
            with {patience},
            known as materialized (
              select e.definition_digest, e.status, e.journal_version,
                     e.journal_version <= :known_version and e.definition_digest = :digest
                       and e.status in ('running', 'interrupted', 'paused') as claimable
                from {execution} e where e.scope = :scope and e.id = :id),
            seen as materialized (   -- look before queueing, as an acquire does
              select x.owner, x.expires_at from {lease} x where x.scope = :scope and x.kind = 'run' and x.id = :id),
            held as materialized (   -- for update: waits for fenced writers, whose token must not change under them
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'run' and x.id = :id
                 and exists (select from known where claimable)
                 and not exists (select from seen where owner <> :owner and expires_at > clock_timestamp())
                 for update of x),
            floor as materialized (
              select f.floor from {lease_floor} f, (select count(*) from patience) first
               where f.scope = :scope and exists (select from known where claimable) and not exists (select from seen)
                 for share of f),
            fresh as (
              insert into {lease} as x (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)
              select :scope, 'run', :id, :owner, f.floor + 1, :ttl, clock_timestamp(),
                     clock_timestamp() + :ttl * interval '1 millisecond'
                from floor f
              on conflict (scope, kind, id) do nothing
              returning x.token, x.granted_at, x.expires_at),
            stored as materialized (   -- behind the lease: whoever held it may have finished the run since it was seen
              select e.status, e.revision, e.events, e.updated_at, e.watched
                from {execution} e, (select count(*) from held) first, (select count(*) from fresh) second
               where e.scope = :scope and e.id = :id and (exists (select from held) or exists (select from fresh))
                 for no key update of e),
            moment as materialized (
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second,
                     (select count(*) from fresh) third),
            taken as (
              update {lease} x set owner = :owner, token = h.token + 1, ttl_ms = :ttl,
                     granted_at = m.at, expires_at = m.at + :ttl * interval '1 millisecond'
                from held h, moment m, stored t
               where x.scope = :scope and x.kind = 'run' and x.id = :id and t.status in ('running', 'interrupted', 'paused')
                 and (h.owner is null or h.owner = :owner or h.expires_at <= m.at) and h.token < 9223372036854775807
              returning x.token, x.granted_at, x.expires_at),
            granted as (select * from fresh union all select * from taken),
            watched as (   -- a paused run: from now on somebody should be at work on it
              update {execution} e set watched = true from granted g, stored t
               where e.scope = :scope and e.id = :id and not t.watched and t.status not in ('completed', 'failed')),
            told as materialized (   -- what the claimer will see; what somebody is just deciding is not among it, nor waited for
              select a.id from {approval} a, granted g, moment m
               where a.scope = :scope and a.run_id = :id and not a.heard
                 and (a.status in ('approved', 'rejected', 'withdrawn') or a.status = 'pending' and a.expires_at <= m.at)
                 for no key update of a skip locked),
            heard as (   -- by an array: joined, the whole scope might be read for a few
              update {approval} a set heard = true
               where a.scope = :scope and a.id = any(array(select t.id from told t)))
            select case when k.status is null then 'NOT_FOUND'
                        when k.journal_version > :known_version then 'UNSUPPORTED'
                        when k.definition_digest <> :digest then 'MISMATCH'
                        when k.status not in ('running', 'interrupted', 'paused') then 'FINISHED'   -- or what a newer release calls it
                        when t.status not in ('running', 'interrupted', 'paused') then 'AGAIN'
                        when g.expires_at > clock_timestamp() + :ttl * interval '0.9 milliseconds' then 'GRANTED'
                        when g.token is not null then 'AGAIN'   -- the insert waited for a rival: part of its time is gone
                        when h.token = 9223372036854775807
                             and (h.owner is null or h.owner = :owner or h.expires_at <= m.at) then 'EXHAUSTED'
                        when coalesce(h.expires_at, s.expires_at) > clock_timestamp() then 'BUSY'
                        when s.expires_at is null and f.floor is null then 'NO_FLOOR'
                        else 'AGAIN' end as verdict,
                   k.definition_digest, k.journal_version, coalesce(t.status, k.status) as status, t.revision, t.events,
                   t.updated_at, cast(:owner as text) as owner, g.token, cast(:ttl as bigint) as ttl_ms, g.granted_at, g.expires_at,
                   cast(extract(epoch from coalesce(g.expires_at, h.expires_at, s.expires_at) - clock_timestamp()) * 1000000
                        as bigint) as remaining_micros
              from moment m left join granted g on true left join stored t on true left join known k on true
                   left join held h on true left join seen s on true left join floor f on true
            """);

    @Override
    public RunClaim claim(String runId, String owner, Duration ttl, String definitionDigest) {
        Given.value("runId", runId);
        RunGrant.checkOwner(owner, ttl);
        Identifier.text("definitionDigest", definitionDigest, 1, 128);
        if (!Identifier.isText(runId, 1, LeaseKey.MAX_ID_BYTES)) {
            return new RunClaim.NotFound();
        }
        return Again.until("journal.claim", () -> {
            RunGrant row = transactions.single(
                    "journal.claim",
                    Effect.WRITE,
                    s -> s.call(CLAIM)
                            .set("scope", scope.id())
                            .set("id", runId)
                            .set("known_version", JOURNAL_VERSION)
                            .set("digest", definitionDigest)
                            .set("owner", owner)
                            .set("ttl", ttl.toMillis())
                            .row());
            return switch (row.verdict()) {
                case "GRANTED" -> Optional.of(new RunClaim.Granted(row.head(runId), row.lease(runId)));
                case "NOT_FOUND" -> Optional.of(new RunClaim.NotFound());
                case "MISMATCH" -> Optional.of(new RunClaim.DefinitionMismatch(requireNonNull(row.definitionDigest())));
                case "FINISHED" -> Optional.of(new RunClaim.Finished(Wire.runStatus(runId, row.status())));
                case "BUSY" -> Optional.of(new RunClaim.Busy(row.remaining()));
                case "UNSUPPORTED" -> throw unsupported(runId, requireNonNull(row.journalVersion()));
                case "EXHAUSTED" -> throw new TokensExhaustedException(LeaseKey.ofRun(runId));
                case "NO_FLOOR" -> RunGrant.layFloor(transactions, scope, "journal.claim");
                default -> Optional.empty();
            };
        });
    }

    static UnsupportedVersionException unsupported(String runId, long found) {
        return new UnsupportedVersionException("run", runId, found, JOURNAL_VERSION);
    }

    @Override
    public RecoverablePage recoverable(String after, int limit) {
        return RunRecovery.page(transactions, scope, after, limit);
    }
}
