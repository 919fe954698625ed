package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.AgentStatus;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Statements.Call;
import io.holdfast.step.StepResult.LeaseAfter;
import org.jspecify.annotations.Nullable;

/** Writes of an agent's checkpoint under the lease of its run: the next one, or the last. */
final class AgentWrite {

    private AgentWrite() {}

    private record Row(
            String verdict, long revision, @Nullable String status) {}

    private static final Statement<Row> SAVE = Statement.returning(Row.class, """
            with {patience},
            given as materialized (select cast(:payload as text) as payload),
            seen as materialized (   -- of the same moment as the lease, whose lock does not wait for who gives it back
              select c.ctid as place from {agent_checkpoint} c where c.scope = :scope and c.run_id = :run),
            kept as materialized (   -- key share: nobody takes the lease over before we commit, and its heartbeat goes on
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where not :release and x.scope = :scope and x.kind = 'run' and x.id = :run for key share of x),
            ending as materialized (   -- given back: at once in the mode that this needs, locks are never upgraded
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where :release and x.scope = :scope and x.kind = 'run' and x.id = :run for no key update of x),
            held as materialized (
              select k.owner, k.token, k.expires_at from kept k union all select e.owner, e.token, e.expires_at from ending e),
            stored as materialized (
              select c.ctid as place, c.status, c.revision,
                     c.revision - 1 = :revision and c.status = :status and c.phase = :phase and c.payload = g.payload as same
                from {agent_checkpoint} c, given g, (select count(*) from held) first, (select count(*) from patience) second
               where c.scope = :scope and c.run_id = :run for no key update of c),
            moment as materialized (
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second),
            judged as materialized (
              select m.at, case
                when t.same and :release and h.owner = :owner and h.token = :token and h.expires_at > m.at
                     then 'PAUSED'   -- no repeat: saved before, but the lease was kept
                when t.same then 'SAME'   -- whatever the fence says: a repeat has to hear it
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then case when h.expires_at <= b.since then 'LOST_EXPIRED'
                                                    else 'AGAIN' end   -- it may have been renewed while we waited
                when t.status in ('finished', 'purged') then 'OVER'
                when coalesce(t.revision, 0) <> :revision then 'REVISION'
                when t.place is distinct from s.place then 'AGAIN'   -- with what we waited for, the lease may have been given back
                when t.status not in ('running', 'paused', 'completed') then 'UNKNOWN'   -- a newer release's: not ours to write over
                when t.status is null then 'NEW'
                else 'NEXT' end as verdict
                from moment m cross join patience b left join seen s on true left join held h on true left join stored t on true),
            fresh as (
              insert into {agent_checkpoint} as c (scope, run_id, status, revision, phase, payload, token, created_at, updated_at)
              select :scope, :run, :status, 1, :phase, g.payload, :token, j.at, j.at
                from judged j, given g where j.verdict = 'NEW'
              on conflict (scope, run_id) do nothing
              returning c.revision),
            moved as (
              update {agent_checkpoint} c set status = :status, revision = c.revision + 1, phase = :phase, payload = g.payload,
                     token = :token, updated_at = j.at
                from judged j, given g where j.verdict = 'NEXT' and c.scope = :scope and c.run_id = :run
              returning c.revision),
            written as (select f.revision from fresh f union all select m.revision from moved m),
            released as (
              update {lease} x set owner = null, expires_at = j.at
                from judged j where :release and (j.verdict = 'PAUSED' or exists (select from written))
                 and x.scope = :scope and x.kind = 'run' and x.id = :run)
            select case when w.revision is not null or j.verdict = 'PAUSED' then 'DONE' when j.verdict = 'NEW' then 'AGAIN'
                        else j.verdict end as verdict,
                   coalesce(w.revision, t.revision, 0) as revision, t.status
              from judged j left join stored t on true left join written w on true
            """);

    static Saved save(
            Transactions transactions,
            Scope scope,
            String operation,
            LeaseAfter leaseAfter,
            String run,
            long revision,
            AgentState state,
            Fence fence) {
        if (revision < 0) {
            throw new InvalidValueException("revision", "be 0 or more");
        }
        String payload = Given.value("state", state).write(named(run));
        Given.value("fence", fence);
        Row row = written(
                transactions,
                operation,
                s -> given(s.call(SAVE), scope, run, leaseAfter, fence)
                        .set("revision", revision)
                        .set("status", state.status().wire())
                        .set("phase", state.phase().wire())
                        .set("payload", payload));
        return switch (row.verdict()) {
            case "DONE" -> new Saved.Done(row.revision());
            case "SAME" -> new Saved.AlreadyApplied(row.revision());
            case "OVER" -> new Saved.Over(AgentStatus.of(requireNonNull(row.status())));
            case "REVISION" -> new Saved.RevisionConflict(row.revision());
            case "UNKNOWN" -> throw unknown(run);
            default -> new Saved.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }

    private static final Statement<Row> FINISH = Statement.returning(Row.class, """
            with {patience},
            seen as materialized (select c.ctid as place from {agent_checkpoint} c where c.scope = :scope and c.run_id = :run),
            kept as materialized (
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where not :release and x.scope = :scope and x.kind = 'run' and x.id = :run for key share of x),
            ending as materialized (
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where :release and x.scope = :scope and x.kind = 'run' and x.id = :run for no key update of x),
            held as materialized (
              select k.owner, k.token, k.expires_at from kept k union all select e.owner, e.token, e.expires_at from ending e),
            stored as materialized (
              select c.ctid as place, c.status, c.revision
                from {agent_checkpoint} c, (select count(*) from held) first, (select count(*) from patience) second
               where c.scope = :scope and c.run_id = :run for no key update of c),
            moment as materialized (
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from stored) second),
            judged as materialized (
              select m.at, case
                when t.status in ('finished', 'purged') then 'ALREADY_OVER'   -- whatever the fence says
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then case when h.expires_at <= b.since then 'LOST_EXPIRED'
                                                    else 'AGAIN' end   -- it may have been renewed while we waited
                when t.place is distinct from s.place then 'AGAIN'   -- and with what we waited for, given back
                when t.status not in ('running', 'paused', 'completed') then 'UNKNOWN'   -- a newer release's: not ours to write over
                when t.status is null then 'NEW'
                else 'NEXT' end as verdict
                from moment m cross join patience b left join seen s on true left join held h on true left join stored t on true),
            fresh as (   -- never saved, and not to be saved any more
              insert into {agent_checkpoint} as c (scope, run_id, status, revision, token, created_at, updated_at)
              select :scope, :run, 'finished', 0, :token, j.at, j.at from judged j where j.verdict = 'NEW'
              on conflict (scope, run_id) do nothing
              returning c.revision),
            moved as (
              update {agent_checkpoint} c set status = 'finished', phase = null, payload = null, token = :token, updated_at = j.at
                from judged j where j.verdict = 'NEXT' and c.scope = :scope and c.run_id = :run
              returning c.revision),
            written as (select f.revision from fresh f union all select m.revision from moved m),
            released as (
              update {lease} x set owner = null, expires_at = j.at
                from judged j, written w where :release and x.scope = :scope and x.kind = 'run' and x.id = :run)
            select case when w.revision is not null then 'DONE' when j.verdict = 'NEW' then 'AGAIN' else j.verdict end as verdict,
                   coalesce(w.revision, t.revision, 0) as revision, t.status
              from judged j left join stored t on true left join written w on true
            """);

    static Ended finish(Transactions transactions, Scope scope, String run, LeaseAfter leaseAfter, Fence fence) {
        named(run);
        Given.value("fence", fence);
        Row row = written(transactions, "agent.finish", s -> given(s.call(FINISH), scope, run, leaseAfter, fence));
        return switch (row.verdict()) {
            case "DONE" -> new Ended.Done();
            case "ALREADY_OVER" -> new Ended.AlreadyOver(AgentStatus.of(requireNonNull(row.status())));
            case "UNKNOWN" -> throw unknown(run);
            default -> new Ended.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }

    /** Neither at work nor over: how it stands, only the release that wrote it can say. */
    static CorruptRecordException unknown(String run) {
        return new CorruptRecordException("agent checkpoint", run, "status must be one that this release knows");
    }

    private interface Asked {
        Call<Row> of(Statements statements);
    }

    private static Row written(Transactions transactions, String operation, Asked asked) {
        return Again.row(transactions, operation, Row::verdict, s -> asked.of(s).row());
    }

    private static Call<Row> given(Call<Row> call, Scope scope, String run, LeaseAfter leaseAfter, Fence fence) {
        return call.set("scope", scope.id())
                .set("run", run)
                .set("release", leaseAfter == LeaseAfter.RELEASE)
                .set("owner", fence.owner())
                .set("token", fence.token());
    }

    private static String named(String run) {
        return Identifier.text("run", run, 1, LeaseKey.MAX_ID_BYTES);
    }
}
