package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunHead;
import io.holdfast.lease.Fence;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What somebody found out about an effect: the effect, an event, and of a paused run the lease, or nothing of it. */
final class JournalResolve {

    /** The type of the event that tells of it. */
    private static final String EFFECT_RESOLVED = "effect_resolved";

    private JournalResolve() {}

    private record Row(
            String verdict,
            @Nullable String status,
            @Nullable Long revision,
            @Nullable Long events,
            @Nullable Instant updatedAt,
            @Nullable Long journalVersion,
            @Nullable String effectStatus,
            @Nullable String resolution,
            @Nullable String resolvedBy) {}

    private static final Statement<Row> RESOLVE = Statement.returning(Row.class, """
            with {patience},
            seen as materialized (select e.revision from {execution} e where e.scope = :scope and e.id = :id),
            held as materialized (   -- at once in the mode that a release needs: that the run is paused is known only later
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'run' and x.id = :id for no key update of x),
            stored as materialized (
              select e.status, e.revision, e.events, e.updated_at, e.journal_version
                from {execution} e, (select count(*) from held) first, (select count(*) from patience) second
               where e.scope = :scope and e.id = :id for no key update of e),
            moment as materialized (
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second),
            effect as materialized (
              select f.place, f.status, f.resolution, f.resolved_by from {journal_effect}(:scope, :id, :effect) f),
            judged as materialized (
              select m.at, greatest(m.at, t.updated_at) as noted_at, case
                when s.revision is distinct from t.revision then 'AGAIN'   -- the effect is of the statement's beginning
                when f.status is null then 'NOT_FOUND'
                when f.status = 'resolved' then 'ALREADY'   -- whatever the fence says: a repeat has to hear it
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then 'LOST_EXPIRED'
                when t.status not in ('running', 'interrupted', 'paused') then 'FINISHED'   -- or what a newer release calls it
                when t.journal_version > :known_version then 'UNSUPPORTED'
                when f.status <> 'indeterminate' then 'NOT_INDETERMINATE'
                else 'DONE' end as verdict
                from moment m left join held h on true left join stored t on true left join seen s on true
                     left join effect f on true),
            settled as (
              update {execution_effect} f set status = 'resolved', resolution = :resolution, resolved_by = :actor,
                     result = coalesce(cast(:result as text), f.result), updated_at = j.noted_at
                from judged j
               where j.verdict = 'DONE' and f.status = 'indeterminate' and f.ctid = (select place from effect)),
            told as (
              insert into {execution_event} (scope, run_id, sequence, type, payload, at)
              select :scope, :id, t.events + 1, :type, :event, j.noted_at
                from judged j, stored t where j.verdict = 'DONE'),
            moved as (
              update {execution} e set revision = e.revision + 1, events = e.events + 1, last_commit = null, updated_at = j.noted_at,
                     watched = e.status <> 'paused' or not exists (   -- nothing is in doubt any more: somebody should go on
                       select from {execution_effect} o where o.scope = :scope and o.run_id = :id and o.effect_id <> :effect
                          and o.status = 'indeterminate')
                from judged j where j.verdict = 'DONE' and e.scope = :scope and e.id = :id
              returning e.status, e.revision, e.events, e.updated_at),
            released as (
              update {lease} x set owner = null, expires_at = j.at from judged j, moved n
               where n.status = 'paused' and x.scope = :scope and x.kind = 'run' and x.id = :id)
            select j.verdict, coalesce(n.status, t.status) as status, coalesce(n.revision, t.revision) as revision,
                   coalesce(n.events, t.events) as events, coalesce(n.updated_at, t.updated_at) as updated_at,
                   t.journal_version, f.status as effect_status, f.resolution, f.resolved_by
              from judged j left join stored t on true left join moved n on true left join effect f on true
            """);

    static Resolved run(
            Transactions transactions, Scope scope, String run, EffectId effect, Resolution resolution, Fence fence) {
        return answer(
                Again.row(
                        transactions,
                        "journal.resolveEffect",
                        Row::verdict,
                        s -> s.call(RESOLVE)
                                .set("scope", scope.id())
                                .set("id", run)
                                .set("known_version", JpaRunLeases.JOURNAL_VERSION)
                                .set("effect", effect.hex())
                                .set("resolution", resolution.finding().wire())
                                .set("actor", resolution.actor())
                                .set("result", resolution.result().orElse(null))
                                .set("type", EFFECT_RESOLVED)
                                .set("event", event(effect, resolution))
                                .set("owner", fence.owner())
                                .set("token", fence.token())
                                .row()),
                run);
    }

    private static String event(EffectId effect, Resolution resolution) {
        Map<String, String> event = new TreeMap<>(Map.of(
                "type", EFFECT_RESOLVED,
                "effect_id", effect.hex(),
                "resolution", resolution.finding().wire(),
                "actor", resolution.actor()));
        resolution.reason().ifPresent(reason -> event.put("reason", reason));
        return Canonical.write("event", event);
    }

    private static Resolved answer(Row row, String run) {
        return switch (row.verdict()) {
            case "DONE" ->
                new Resolved.Done(new RunHead(
                        run,
                        Wire.runStatus(run, row.status()),
                        requireNonNull(row.revision()),
                        requireNonNull(row.events()),
                        requireNonNull(row.updatedAt())));
            case "NOT_FOUND" -> new Resolved.NotFound();
            case "ALREADY" ->
                new Resolved.AlreadyResolved(Wire.finding(run, row.resolution()), requireNonNull(row.resolvedBy()));
            case "FINISHED" -> new Resolved.Finished(Wire.runStatus(run, row.status()));
            case "UNSUPPORTED" -> throw JpaRunLeases.unsupported(run, requireNonNull(row.journalVersion()));
            case "NOT_INDETERMINATE" -> new Resolved.NotIndeterminate(Wire.effectStatus(run, row.effectStatus()));
            default -> new Resolved.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }
}
