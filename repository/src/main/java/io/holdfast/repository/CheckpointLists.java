package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.checkpoint.CheckpointSummary;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.checkpoint.HistoryEntry;
import io.holdfast.checkpoint.RunIdentity;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Transactions.Effect;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pages of runs and of a run's history. Each walks one index in the order of the answer; only a history reads payloads. */
final class CheckpointLists {

    private CheckpointLists() {}

    static boolean isRunId(String runId) {
        return Identifier.isText(runId, 1, RunStart.MAX_ID_BYTES);
    }

    private record EntryRow(
            long revision,
            String definitionHash,
            @Nullable String definitionVersion,
            String status,
            @Nullable String node,
            long steps,
            @Nullable String waitingFor,
            @Nullable String waitingIds,
            String state,
            String details,
            Instant savedAt) {

        HistoryEntry entry(String runId) {
            try {
                return read(runId);
            } catch (CorruptRecordException e) { // which one: so a page can begin behind it
                throw new CorruptRecordException(
                        "checkpoint", runId, e.details().getOrDefault("rule", "") + " (revision " + revision + ")");
            }
        }

        private HistoryEntry read(String runId) {
            return new HistoryEntry(
                    runId,
                    revision,
                    CheckpointContent.checkpoint(
                            runId,
                            CheckpointContent.definition(runId, definitionHash, definitionVersion),
                            status,
                            node,
                            steps,
                            waitingFor,
                            waitingIds,
                            state,
                            details),
                    savedAt);
        }
    }

    // Between two numbers, since there are no gaps: so no plan reads more, whatever it takes the length of a history to
    // be.
    private static final Statement<EntryRow> HISTORY = Statement.returning(EntryRow.class, """
            with passed as materialized (
              select least(greatest(:after, c.history_from - 1), c.revision) as revision
                from {checkpoint} c where c.scope = :scope and c.run_id = :run)
            select e.revision, e.definition_hash, e.definition_version, e.status, e.node, e.steps, e.waiting_for, e.waiting_ids,
                   e.state, e.details, e.saved_at
              from {checkpoint_entry} e
             where e.scope = :scope and e.run_id = :run and e.revision > (select p.revision from passed p)
               and e.revision <= (select p.revision + :limit from passed p)
             order by e.revision
            """);

    static List<HistoryEntry> history(
            Transactions transactions, Scope scope, String runId, long afterRevision, int limit) {
        Given.value("runId", runId);
        if (afterRevision < 0) {
            throw new InvalidValueException("afterRevision", "be 0 or more");
        }
        within(limit, Checkpoints.MAX_HISTORY_PAGE);
        if (!isRunId(runId)) {
            return List.of();
        }
        return transactions
                .single(
                        "checkpoint.history",
                        Effect.READ,
                        s -> s.call(HISTORY)
                                .set("scope", scope.id())
                                .set("run", runId)
                                .set("after", afterRevision)
                                .set("limit", (long) limit)
                                .rows())
                .stream()
                .map(row -> row.entry(runId))
                .toList();
    }

    private record SummaryRow(
            String runId,
            String definitionHash,
            @Nullable String definitionVersion,
            String status,
            @Nullable String node,
            long steps,
            long revision,
            Instant createdAt,
            Instant updatedAt) {

        CheckpointSummary summary() {
            return new CheckpointSummary(
                    runId,
                    CheckpointContent.definition(runId, definitionHash, definitionVersion),
                    status,
                    Optional.ofNullable(node),
                    Math.toIntExact(steps),
                    revision,
                    createdAt,
                    updatedAt);
        }
    }

    private static final Statement<SummaryRow> CHILDREN = Statement.returning(SummaryRow.class, """
            select c.run_id, c.definition_hash, c.definition_version, c.status, c.node, c.steps, c.revision, c.created_at,
                   c.updated_at
              from {checkpoint} c
             where c.scope = :scope and c.path > :after and c.path < :beyond   -- a range, which every release walks by the index
             order by c.path limit :limit
            """);

    static List<CheckpointSummary> children(
            Transactions transactions, Scope scope, String parentRunId, String after, int limit) {
        Given.value("parentRunId", parentRunId);
        if (!Given.value("after", after).isEmpty() && !(isRunId(after) && after.startsWith(parentRunId + '/'))) {
            throw new InvalidValueException("after", "be the id of a run below the parent, or empty");
        }
        within(limit, Checkpoints.MAX_PAGE);
        if (!isRunId(parentRunId)) {
            return List.of();
        }
        return summaries(transactions.single(
                "checkpoint.children",
                Effect.READ,
                s -> s.call(CHILDREN)
                        .set("scope", scope.id())
                        .set("after", after.isEmpty() ? RunPath.below(parentRunId) : RunPath.of(after))
                        .set("beyond", RunPath.beyond(parentRunId))
                        .set("limit", (long) limit)
                        .rows()));
    }

    private static final Statement<SummaryRow> INCOMPLETE = Statement.returning(SummaryRow.class, """
            select c.run_id, c.definition_hash, c.definition_version, c.status, c.node, c.steps, c.revision, c.created_at,
                   c.updated_at
              from {checkpoint} c
             where c.scope = :scope and c.status = 'running' and c.parent_run_id is null
               and (c.created_at, c.run_id) > (cast(:at as timestamptz), :id)
               and coalesce((   -- nobody is at it; looked at one by one, on the way
                 select x.owner is null or x.expires_at <= clock_timestamp() from {lease} x
                  where x.scope = :scope and x.kind = 'run' and x.id = c.run_id), true)
             order by c.created_at, c.run_id limit :limit
            """);

    static List<CheckpointSummary> incomplete(
            Transactions transactions, Scope scope, Optional<CheckpointSummary.Place> after, int limit) {
        Given.value("after", after);
        if (limit <= 0) {
            return List.of();
        }
        within(limit, Checkpoints.MAX_PAGE);
        return summaries(transactions.single(
                "checkpoint.incomplete",
                Effect.READ,
                s -> s.call(INCOMPLETE)
                        .set("scope", scope.id())
                        .set(
                                "at",
                                after.map(place -> place.createdAt().toString()).orElse("-infinity"))
                        .set("id", after.map(CheckpointSummary.Place::runId).orElse(""))
                        .set("limit", (long) limit)
                        .rows()));
    }

    private static List<CheckpointSummary> summaries(List<SummaryRow> rows) {
        return rows.stream().map(SummaryRow::summary).toList();
    }

    private record IdentityRow(
            String runId,
            String definitionHash,
            @Nullable String definitionVersion,
            @Nullable String startedVersion) {

        RunIdentity identity() {
            return new RunIdentity(
                    CheckpointContent.definition(runId, definitionHash, definitionVersion),
                    Optional.ofNullable(startedVersion));
        }
    }

    private static final Statement<IdentityRow> IDENTITIES = Statement.returning(IdentityRow.class, """
            select c.run_id, c.definition_hash, c.definition_version, c.started_version
              from {checkpoint} c where c.scope = :scope and c.run_id = any(cast(:runs as text[])) order by c.run_id
            """);

    static Map<String, RunIdentity> identities(Transactions transactions, Scope scope, Collection<String> runIds) {
        if (Given.value("runIds", runIds).size() > Checkpoints.MAX_PAGE) {
            throw new InvalidValueException("runIds", "be at most " + Checkpoints.MAX_PAGE);
        }
        List<String> asked = runIds.stream()
                .filter(id -> isRunId(Given.value("runIds", id)))
                .distinct()
                .toList();
        Map<String, RunIdentity> found = new LinkedHashMap<>();
        if (!asked.isEmpty()) {
            transactions
                    .single(
                            "checkpoint.identities",
                            Effect.READ,
                            s -> s.call(IDENTITIES)
                                    .set("scope", scope.id())
                                    .set("runs", TextArray.of(asked))
                                    .rows())
                    .forEach(row -> found.put(row.runId(), row.identity()));
        }
        return found;
    }

    private static void within(int limit, int max) {
        if (limit < 1 || limit > max) {
            throw new InvalidValueException("limit", "be 1 to " + max);
        }
    }
}
