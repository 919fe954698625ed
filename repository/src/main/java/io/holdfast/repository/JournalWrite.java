package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.JournalCommit;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Transactions.Effect;
import java.util.Optional;
import java.util.function.Function;

/** A commit to a run's journal: state, steps, effects, events and lease together, or nothing of it. */
final class JournalWrite {

    private JournalWrite() {}

    // What is seen of steps and effects is of the statement's beginning, the run as it is locked: if both are of one
    // revision,
    // so is all between them, since nothing is written to a run without its lock and a revision more.
    private static final Statement<CommitRow> COMMIT = Statement.returning(CommitRow.class, """
            with {patience},
            given as materialized (
              select cast(:state as text) as state, cast(:cursor as text) as cursor, cast(:status as text) as status,
                     cast(:state_version as integer) as state_version, cast(:expected as bigint) as expected),
            step_asked as materialized (
              select * from unnest(cast(:s_keys as text[]), cast(:s_digests as text[]), cast(:s_idempotency_keys as text[]),
                                   cast(:s_classes as text[]), cast(:s_approvals as text[]), cast(:s_reservations as text[]),
                                   cast(:s_outcomes as text[]), cast(:s_outputs as text[]))
                       with ordinality as a (step_key, payload_digest, idempotency_key, effect_class, approval_id, reservations,
                                             outcome, output, place)),
            effect_asked as materialized (
              select * from unnest(cast(:e_keys as text[]), cast(:e_indexes as integer[]), cast(:e_ids as text[]),
                                   cast(:e_statuses as text[]), cast(:e_idempotency_keys as text[]), cast(:e_results as text[]))
                       with ordinality as a (step_key, index, effect_id, status, idempotency_key, result, place)),
            seen as materialized (select e.revision from {execution} e where e.scope = :scope and e.id = :id),
            shared as materialized (   -- key share: nobody takes the lease over before we commit, and its heartbeat goes on
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'run' and x.id = :id and not :ends for key share of x),
            ended_with as materialized (   -- at once in the mode that a release needs: locks are never upgraded
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'run' and x.id = :id and :ends for no key update of x),
            held as materialized (select * from shared union all select * from ended_with),
            stored as materialized (   -- after the lease: the order of locks is the same everywhere
              select e.status, e.revision, e.events, e.steps, e.effects, e.updated_at, e.state_version, e.journal_version, e.opened_token,
                     e.revision = g.expected + 1 and e.last_commit = :digest as same
                from {execution} e, given g, (select count(*) from held) first, (select count(*) from patience) second
               where e.scope = :scope and e.id = :id for no key update of e),
            moment as materialized (
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second),
            step_found as materialized (
              select a.*, s.ordinal, s.ended_at is not null as ended,
                     s.ordinal is not null
                     and (a.payload_digest is not null   -- an intent after an outcome that had none differs as well
                          and (s.payload_digest, s.idempotency_key, s.effect_class, s.approval_id, s.reservations)
                              is distinct from
                              (a.payload_digest, a.idempotency_key, a.effect_class, a.approval_id, a.reservations)
                          or a.outcome is not null and s.ended_at is not null
                          and (s.outcome <> a.outcome or s.output <> a.output)) as clashes
                from step_asked a
                left join {execution_step} s on s.scope = :scope and s.run_id = :id and s.step_key = a.step_key),
            not_approved as materialized (   -- consumed is for good, so what is seen of it holds without a lock
              select a.step_key, a.approval_id from step_found a, stored t
               where a.ordinal is null and a.approval_id is not null
                 and not exists (select from {approval} p
                                  where p.scope = :scope and p.id = a.approval_id and p.status = 'consumed' and p.run_id = :id
                                    and p.consumed_by = a.step_key and p.digest = a.payload_digest
                                    and p.consumed_token >= t.opened_token)   -- not by a run of that id that was purged
               order by a.place limit 1),
            effect_found as materialized (
              select a.*, f.ordinal, f.status as was,
                     case when f.ordinal is null then a.status <> 'pending' or not (
                                 exists (select from step_asked i where i.step_key = a.step_key and i.payload_digest is not null)
                                 or exists (select from {execution_step} i
                                             where i.scope = :scope and i.run_id = :id and i.step_key = a.step_key
                                               and i.intended_at is not null))
                               or (   -- under an approval: one at a time, and only while none before it can have happened
                                 exists (select from step_asked i where i.step_key = a.step_key and i.approval_id is not null)
                                 or exists (select from {execution_step} i
                                             where i.scope = :scope and i.run_id = :id and i.step_key = a.step_key
                                               and i.approval_id is not null))
                                 and (exists (select from effect_asked o where o.step_key = a.step_key and o.place <> a.place)
                                      or exists (select from {execution_effect} o
                                                  where o.scope = :scope and o.run_id = :id and o.step_key = a.step_key
                                                    and o.resolution is distinct from 'not_applied'))
                          when a.status = 'pending' then f.status <> 'pending' or f.idempotency_key <> a.idempotency_key
                          when f.status = 'pending' then false
                          else f.status <> a.status or f.result is distinct from a.result end as clashes
                from effect_asked a
                left join {execution_effect} f on f.scope = :scope and f.run_id = :id and f.effect_id = a.effect_id),
            key_taken as materialized (
              select a.idempotency_key from effect_found a
                join {execution_effect} f on f.scope = :scope and f.idempotency_key = a.idempotency_key
               where a.ordinal is null order by a.place limit 1),
            judged as materialized (
              select m.at, greatest(m.at, t.updated_at) as noted_at, case
                when t.revision is null then 'NOT_FOUND'
                when t.same then 'ALREADY_APPLIED'   -- whatever the fence says: a repeat has to hear it
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then 'LOST_EXPIRED'
                when t.status in ('completed', 'failed') then 'FINISHED'
                when t.journal_version > :known_version then 'UNSUPPORTED'
                when t.revision <> coalesce(g.expected, t.revision) then 'REVISION'
                when t.state_version > coalesce(g.state_version, t.state_version) then 'STATE_VERSION'
                when s.revision is distinct from t.revision then 'AGAIN'
                when exists (select from step_found where clashes) then 'STEP'
                when exists (select from not_approved) then 'APPROVAL'
                when exists (select from effect_found where clashes) then 'EFFECT'
                when exists (select from key_taken) then 'KEY'
                else 'DONE' end as verdict
                from moment m cross join given g left join held h on true left join stored t on true left join seen s on true),
            sent as (   -- first what can meet a rival of another run; in the order of keys, so that crossing ones do not deadlock
              insert into {execution_effect} as f (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key, status,
                     created_at, updated_at)
              select :scope, :id, n.ordinal, n.step_key, n.index, n.effect_id, n.idempotency_key, 'pending', n.noted_at, n.noted_at
                from (select a.step_key, a.index, a.effect_id, a.idempotency_key, j.noted_at,
                             t.effects + row_number() over (order by a.place) as ordinal
                        from judged j, stored t, effect_found a where j.verdict = 'DONE' and a.ordinal is null) n
               order by n.idempotency_key collate "C"
              on conflict do nothing
              returning f.effect_id),
            done as materialized (   -- all that is new could be sent, or nothing is written
              select j.at, j.noted_at, t.steps, t.effects, t.events from judged j, stored t
               where j.verdict = 'DONE'
                 and (select count(*) from sent) = (select count(*) from effect_found where ordinal is null)),
            settled as (
              update {execution_effect} f set status = a.status, result = a.result, updated_at = d.noted_at
                from done d, effect_found a
               where f.scope = :scope and f.run_id = :id and f.effect_id = a.effect_id
                 and a.was = 'pending' and a.status <> 'pending'),
            meant as (
              insert into {execution_step} (scope, run_id, ordinal, step_key, payload_digest, idempotency_key, effect_class,
                     approval_id, reservations, intended_at, outcome, output, ended_at)
              select :scope, :id, d.steps + row_number() over (order by a.place), a.step_key, a.payload_digest,
                     a.idempotency_key, a.effect_class, a.approval_id, a.reservations,
                     case when a.payload_digest is not null then d.noted_at end, a.outcome, a.output,
                     case when a.outcome is not null then d.noted_at end
                from done d, step_found a where a.ordinal is null),
            ended as (
              update {execution_step} s set outcome = a.outcome, output = a.output, ended_at = d.noted_at
                from done d, step_found a
               where s.scope = :scope and s.run_id = :id and s.step_key = a.step_key
                 and a.ordinal is not null and not a.ended and a.outcome is not null),
            told as (
              insert into {execution_event} (scope, run_id, sequence, type, payload, at)
              select :scope, :id, d.events + v.place, v.type, v.payload, d.noted_at
                from done d, unnest(cast(:v_types as text[]), cast(:v_payloads as text[]))
                             with ordinality as v (type, payload, place)),
            moved as (   -- a state that is not given is not written again: its parts stay where they are
              update {execution} e set revision = e.revision + 1, state = coalesce(g.state, e.state),
                     state_version = coalesce(g.state_version, e.state_version),
                     cursor = case when :cursor_given then g.cursor else e.cursor end,
                     status = coalesce(g.status, e.status),
                     watched = case when g.status is null then e.watched else g.status in ('running', 'interrupted') end,
                     steps = d.steps + (select count(*) from step_found where ordinal is null),
                     effects = d.effects + (select count(*) from sent), events = d.events + :events,
                     last_commit = :digest, updated_at = d.noted_at
                from done d, given g where e.scope = :scope and e.id = :id
              returning e.status, e.revision, e.events, e.updated_at),
            told_of as materialized (   -- nobody has to be woken for what is over
              select p.id from {approval} p, done d, given g
               where g.status in ('completed', 'failed') and p.scope = :scope and p.run_id = :id and not p.heard
                 and p.status in ('approved', 'rejected', 'withdrawn') for no key update of p skip locked),
            heard as (
              update {approval} p set heard = true from told_of t where p.scope = :scope and p.id = t.id),
            released as (
              update {lease} x set owner = null, expires_at = d.at
                from done d where :ends and x.scope = :scope and x.kind = 'run' and x.id = :id)
            select case when j.verdict <> 'DONE' or n.revision is not null then j.verdict
                        when exists (select from sent) then 'PARTLY'
                        else 'AGAIN' end as verdict,
                   coalesce(n.status, t.status) as status, coalesce(n.revision, t.revision) as revision,
                   coalesce(n.events, t.events) as events, coalesce(n.updated_at, t.updated_at) as updated_at,
                   t.state_version, t.journal_version,
                   coalesce((select step_key from step_found where clashes order by place limit 1), a.step_key) as step,
                   a.approval_id as approval,
                   (select place from effect_found where clashes order by place limit 1) as effect,
                   k.idempotency_key as taken_key, (select string_agg(effect_id, ',') from sent) as sent
              from judged j left join stored t on true left join moved n on true left join key_taken k on true
                   left join not_approved a on true
            """);

    private record Withdrawn(long count) {}

    // A rival's effect under one of several keys was too new to be seen. In the same transaction, so nobody sees it
    // happen.
    private static final Statement<Withdrawn> WITHDRAW = Statement.returning(Withdrawn.class, """
            with gone as (
              delete from {execution_effect} f
               where f.scope = :scope and f.run_id = :id and f.effect_id = any(string_to_array(:sent, ',')) returning 1)
            select count(*) as count from gone
            """);

    static Committed run(Transactions transactions, Scope scope, JournalCommit commit, Fence fence) {
        String digest = CommitDigest.of(commit, fence);
        Function<Statements, CommitRow> attempt = s -> JournalEntries.given(s.call(COMMIT), scope, commit)
                .set("digest", digest)
                .set("owner", fence.owner())
                .set("token", fence.token())
                .row();
        // Of several new effects some may be sent and others not, which takes a second statement to undo.
        boolean several = commit.effects().stream()
                        .filter(effect -> effect.status() == EffectStatus.PENDING)
                        .count()
                > 1;
        CommitRow row = Again.until("journal.commit", () -> {
            CommitRow answer = several
                    ? transactions.whole("journal.commit", s -> withdrawn(s, scope, commit, attempt.apply(s)))
                    : transactions.single("journal.commit", Effect.WRITE, attempt);
            return answer.verdict().equals("AGAIN") || answer.verdict().equals("PARTLY")
                    ? Optional.empty()
                    : Optional.of(answer);
        });
        return row.answer(commit);
    }

    private static CommitRow withdrawn(Statements statements, Scope scope, JournalCommit commit, CommitRow row) {
        if (row.verdict().equals("PARTLY")) {
            statements
                    .call(WITHDRAW)
                    .set("scope", scope.id())
                    .set("id", commit.runId())
                    .set("sent", row.sent())
                    .row();
        }
        return row;
    }
}
