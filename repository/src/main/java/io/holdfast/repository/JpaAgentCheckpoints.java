package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoint;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.agent.AgentPage;
import io.holdfast.agent.AgentPage.Line;
import io.holdfast.agent.AgentPage.Place;
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
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.step.StepResult.LeaseAfter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Checkpoints of agents in table {@code agent_checkpoint}. One statement each; the guard is in the statement. */
final class JpaAgentCheckpoints implements AgentCheckpoints {

    private final Transactions transactions;
    private final Scope scope;

    JpaAgentCheckpoints(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    @Override
    public Saved save(String run, long revision, AgentState state, Fence fence) {
        return AgentWrite.save(transactions, scope, "agent.save", LeaseAfter.KEEP, run, revision, state, fence);
    }

    @Override
    public Saved pause(String run, long revision, AgentState state, Fence fence) {
        return AgentWrite.save(transactions, scope, "agent.pause", LeaseAfter.RELEASE, run, revision, state, fence);
    }

    private record Stored(
            String runId, String status, long revision, String payload, Instant createdAt, Instant updatedAt) {

        AgentCheckpoint checkpoint() {
            try {
                AgentStatus.of(status); // one that is known: what a newer release calls it is not gone on with
                return new AgentCheckpoint(runId, revision, AgentState.read(runId, payload), createdAt, updatedAt);
            } catch (InvalidValueException e) {
                throw damaged(runId, e);
            }
        }
    }

    private static CorruptRecordException damaged(String run, InvalidValueException e) {
        return new CorruptRecordException(
                "agent checkpoint", run, e.field() + " must " + e.details().getOrDefault("rule", ""));
    }

    private static final Statement<Stored> LOAD = Statement.returning(Stored.class, """
            select c.run_id, c.status, c.revision, c.payload, c.created_at, c.updated_at
              from {agent_checkpoint} c where c.scope = :scope and c.run_id = :run and c.payload is not null
            """);

    @Override
    public Optional<AgentCheckpoint> load(String run) {
        if (!Identifier.isText(Given.value("run", run), 1, LeaseKey.MAX_ID_BYTES)) {
            return Optional.empty();
        }
        return transactions
                .single(
                        "agent.load",
                        Effect.READ,
                        s -> s.call(LOAD)
                                .set("scope", scope.id())
                                .set("run", run)
                                .first())
                .map(Stored::checkpoint);
    }

    @Override
    public Ended finish(String run, LeaseAfter leaseAfter, Fence fence) {
        return AgentWrite.finish(transactions, scope, run, Given.value("leaseAfter", leaseAfter), fence);
    }

    private record Purged(boolean purged, boolean unknown) {}

    private static final Statement<Purged> PURGE = Statement.returning(Purged.class, """
            with {patience},
            stored as materialized (
              select c.status from {agent_checkpoint} c, (select count(*) from patience) first
               where c.scope = :scope and c.run_id = :run for no key update of c),
            gone as (
              update {agent_checkpoint} c set status = 'purged', phase = null, payload = null, token = null,
                     updated_at = clock_timestamp()
                from stored t where t.status in ('running', 'paused', 'completed') and c.scope = :scope and c.run_id = :run
              returning c.run_id)
            select exists (select from gone) as purged,
                   exists (select from stored t   -- a newer release's: not ours to remove
                            where t.status not in ('running', 'paused', 'completed', 'finished', 'purged')) as unknown
            """);

    @Override
    public boolean purge(String run) {
        if (!Identifier.isText(Given.value("run", run), 1, LeaseKey.MAX_ID_BYTES)) {
            return false;
        }
        Purged answer = transactions.single(
                "agent.purge",
                Effect.WRITE,
                s -> s.call(PURGE).set("scope", scope.id()).set("run", run).row());
        if (answer.unknown()) {
            throw AgentWrite.unknown(run);
        }
        return answer.purged();
    }

    private record Listed(
            String runId, String phase, long revision, boolean held, Instant createdAt, Instant updatedAt) {

        Line line() {
            return new Line(runId, phase, revision, held, createdAt, updatedAt);
        }
    }

    private static final Statement<Listed> INCOMPLETE = Statement.returning(Listed.class, """
            select c.run_id, c.phase, c.revision, coalesce(x.owner is not null and x.expires_at > clock_timestamp(), false) as held,
                   c.created_at, c.updated_at
              from {agent_checkpoint} c
              left join {lease} x on x.scope = :scope and x.kind = 'run' and x.id = c.run_id
             where c.scope = :scope and c.status = :status and (c.created_at, c.run_id) > (cast(:at as timestamptz), :run)
             order by c.created_at, c.run_id limit :limit
            """);

    @Override
    public AgentPage incomplete(AgentStatus status, Optional<Place> after, int limit) {
        if (Given.value("status", status).isOver()) {
            throw new InvalidValueException("status", "be running, paused or completed");
        }
        Given.value("after", after);
        if (limit < 1 || limit > MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + MAX_PAGE);
        }
        List<Line> lines = transactions
                .single(
                        "agent.incomplete",
                        Effect.READ,
                        s -> s.call(INCOMPLETE)
                                .set("scope", scope.id())
                                .set("status", status.wire())
                                .set(
                                        "at",
                                        after.map(place -> place.createdAt().toString())
                                                .orElse("-infinity"))
                                .set("run", after.map(Place::run).orElse(""))
                                .set("limit", (long) limit)
                                .rows())
                .stream()
                .map(Listed::line)
                .toList();
        return new AgentPage(lines, lines.size() < limit ? Optional.empty() : Optional.of(place(lines)));
    }

    private static Place place(List<Line> lines) {
        Line last = lines.get(lines.size() - 1);
        return new Place(last.createdAt(), last.run());
    }
}
