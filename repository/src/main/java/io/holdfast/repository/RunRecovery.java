package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RecoverableRun.Cause;
import io.holdfast.journal.RunLeases;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Transactions.Effect;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which runs somebody should be at work on: of the journal, of checkpoints, of agents, and those that were answered. */
final class RunRecovery {

    private RunRecovery() {}

    private record Row(
            @Nullable String until,
            @Nullable String id,
            @Nullable String cause,
            @Nullable String kind,
            @Nullable String definitionDigest,
            @Nullable String status,
            @Nullable Long journalVersion,
            @Nullable Long revision,
            @Nullable Instant updatedAt,
            boolean finished,
            @Nullable String owner) {

        RecoverableRun run(String run) {
            Cause why = Cause.valueOf(requireNonNull(cause));
            if (status == null || finished) {
                return new RecoverableRun.Checkpointed(run, why, finished, Optional.ofNullable(owner));
            }
            if (requireNonNull(journalVersion) > JpaRunLeases.JOURNAL_VERSION) {
                return new RecoverableRun.Unreadable(
                        run,
                        "it is of version " + journalVersion + ", this release knows up to "
                                + JpaRunLeases.JOURNAL_VERSION);
            }
            try {
                return new RecoverableRun.Claimable(
                        run,
                        why,
                        Wire.runKind(run, kind),
                        requireNonNull(definitionDigest),
                        Wire.runStatus(run, status),
                        requireNonNull(revision),
                        requireNonNull(updatedAt),
                        Optional.ofNullable(owner));
            } catch (CorruptRecordException e) {
                return new RecoverableRun.Unreadable(run, e.details().getOrDefault("rule", ""));
            }
        }
    }

    // Each list is walked along an index that holds nothing but its candidates, in the order of ids, and not beyond the
    // place
    // where the first of them was left off. Those that lapsed stand by their end instead: the oldest, as many as are
    // looked at.
    private static final Statement<Row> RECOVERABLE = Statement.returning(Row.class, """
            with moment as materialized (select clock_timestamp() as at),
            watched as materialized (
              select e.id from {execution} e where e.scope = :scope and e.watched and e.id > :after
               order by e.id limit :look_at),
            standing as materialized (
              select c.run_id as id from {checkpoint} c
               where c.scope = :scope and c.status = 'running' and c.parent_run_id is null and c.run_id > :after
               order by c.run_id limit :look_at),
            agents as materialized (
              select c.run_id as id from {agent_checkpoint} c
               where c.scope = :scope and c.status in ('running', 'completed') and c.run_id > :after
               order by c.run_id limit :look_at),
            answered as materialized (
              select a.run_id as id, coalesce(a.withdrawn_at, a.decided_at) as at from {approval} a
               where a.scope = :scope and not a.heard and a.status in ('approved', 'rejected', 'withdrawn') and a.run_id > :after
               order by a.run_id limit :look_at),
            lapsed as materialized (   -- the clock by a select: so it is asked once, and the index gone along
              select a.run_id as id, a.expires_at as at from {approval} a
               where a.scope = :scope and not a.heard and a.status = 'pending' and a.expires_at <= (select clock_timestamp())
               order by a.expires_at, a.run_id limit :look_at),
            reach as materialized (   -- a list that is longer than what was read of it says how far all of them are good
              select min(l.last) as until
                from (select max(id) as last from watched having count(*) = :look_at
                      union all select max(id) from standing having count(*) = :look_at
                      union all select max(id) from agents having count(*) = :look_at
                      union all select max(id) from answered having count(*) = :look_at) l),
            near as materialized (
              select n.id, bool_or(n.part = 'journal') as watched, bool_or(n.part = 'checkpoint') as behind, max(n.at) as answered_at
                from (select w.id, 'journal' as part, cast(null as timestamptz) as at from watched w
                      union all select s.id, 'checkpoint', null from standing s
                      union all select g.id, 'checkpoint', null from agents g
                      union all select d.id, 'approval', d.at from answered d
                      union all select o.id, 'approval', o.at from lapsed o where o.id > :after) n, reach r
               where n.id <= coalesce(r.until, n.id) group by n.id),
            free as materialized (   -- one by one: no estimate of how many there are makes a plan that reads a table
              select n.*, x.owner, x.granted_at from near n cross join moment m
                left join lateral (
                  select l.owner, l.granted_at, l.expires_at from {lease} l
                   where l.scope = :scope and l.kind = 'run' and l.id = n.id limit 1) x on true
               where x.owner is null or x.expires_at <= m.at),
            page as materialized (
              select * from (
                select f.id, f.owner, e.kind, e.definition_digest, e.status, e.journal_version, e.revision, e.updated_at,
                       coalesce(e.status in ('completed', 'failed'), false) as finished,
                       case when f.behind or f.watched then 'LEFT'
                            when f.answered_at is null then null
                            when e.status = 'paused' then 'ANSWERED'
                            when (e.status is null or e.status in ('completed', 'failed'))   -- no claim says what it has heard
                                 and exists (
                                   select from (select c.updated_at from {checkpoint} c
                                                 where c.scope = :scope and c.run_id = f.id and c.status = 'paused'
                                                union all
                                                select c.updated_at from {agent_checkpoint} c
                                                 where c.scope = :scope and c.run_id = f.id and c.status = 'paused') c
                                    where (f.granted_at between f.answered_at and c.updated_at) is not true)   -- taken since, and saved
                            then 'ANSWERED' end as cause
                  from free f
                  left join lateral (
                    select r.kind, r.definition_digest, r.status, r.journal_version, r.revision, r.updated_at
                      from {execution} r where r.scope = :scope and r.id = f.id limit 1) e on true) j
               where j.cause is not null order by j.id limit :limit)
            select r.until, p.id, p.cause, p.kind, p.definition_digest, p.status, p.journal_version, p.revision, p.updated_at,
                   coalesce(p.finished, false) as finished, p.owner
              from reach r left join page p on true order by p.id
            """);

    static RecoverablePage page(Transactions transactions, Scope scope, String after, int limit) {
        Identifier.text("after", after, 0, LeaseKey.MAX_ID_BYTES);
        if (limit < 1 || limit > RunLeases.MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + RunLeases.MAX_PAGE);
        }
        List<Row> rows = transactions.single(
                "journal.recoverable",
                Effect.READ,
                s -> s.call(RECOVERABLE)
                        .set("scope", scope.id())
                        .set("after", after)
                        .set("look_at", (long) RunLeases.MAX_LOOKED_AT)
                        .set("limit", (long) limit)
                        .rows());
        List<RecoverableRun> runs = rows.stream()
                .filter(row -> row.id() != null)
                .map(row -> row.run(requireNonNull(row.id())))
                .toList();
        return new RecoverablePage(
                runs,
                runs.size() == limit
                        ? Optional.of(runs.get(limit - 1).id())
                        : Optional.ofNullable(rows.get(0).until()));
    }
}
