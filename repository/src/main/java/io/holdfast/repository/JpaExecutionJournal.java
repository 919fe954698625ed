package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.RecordedStep;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Journals in tables {@code execution} and those beside it. One statement each; the guards are in the statements. */
final class JpaExecutionJournal implements ExecutionJournal {

    private final Transactions transactions;
    private final Scope scope;

    JpaExecutionJournal(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    @Override
    public Opened open(NewRun run, String owner, Duration ttl) {
        Given.value("run", run);
        RunGrant.checkOwner(owner, ttl);
        return JournalOpen.run(transactions, scope, run, owner, ttl);
    }

    @Override
    public Committed commit(Fence fence, JournalCommit entry) {
        Given.value("fence", fence);
        Given.value("entry", entry);
        return JournalWrite.run(transactions, scope, entry, fence);
    }

    @Override
    public Resolved resolveEffect(Fence fence, String runId, EffectId effect, Resolution resolution) {
        Given.value("fence", fence);
        Given.value("runId", runId);
        Given.value("effect", effect);
        Given.value("resolution", resolution);
        if (!isRun(runId)) {
            return new Resolved.NotFound();
        }
        return JournalResolve.run(transactions, scope, runId, effect, resolution, fence);
    }

    // Numbers have no gap, so a page is a range between two of them, which no plan reads more than: not even one that
    // takes
    // the list for short, gathers all of it and sorts.
    /** One statement for all that is read of a run, so that it is of one moment; no row is locked. */
    private static final Statement<JournalRow> READ = Statement.returning(JournalRow.class, """
            select 'run' as part, e.revision as ordinal, e.cursor as name, e.kind, e.status, cast(null as text) as idempotency_key,
                    e.definition_digest as digest, e.parent_id as ref, e.origin as list,
                    case when :whole then e.state end as json, cast(e.state_version as bigint) as version,
                    cast(e.journal_version as bigint) as journal_version, e.steps, e.effects, e.events, e.created_at as at,
                    e.updated_at as until
               from {execution} e where e.scope = :scope and e.id = :id
            union all
            (select 'step', s.ordinal, s.step_key, s.effect_class, s.outcome, s.idempotency_key, s.payload_digest, s.approval_id,
                    s.reservations, s.output, null, null, null, null, null, s.intended_at, s.ended_at
               from {execution_step} s where s.scope = :scope and s.run_id = :id
                and s.ordinal > :after and s.ordinal <= :steps_to order by s.ordinal)
            union all
            (select 'effect', f.ordinal, f.step_key, f.resolution, f.status, f.idempotency_key, f.effect_id, f.resolved_by,
                    null, f.result, f.index, null, null, null, null, f.created_at, f.updated_at
               from {execution_effect} f where f.scope = :scope and f.run_id = :id
                and f.ordinal > :after and f.ordinal <= :effects_to order by f.ordinal)
            union all
            (select 'event', v.sequence, v.type, null, null, null, null, null, null, v.payload, null, null, null, null, null,
                    v.at, null
               from {execution_event} v where v.scope = :scope and v.run_id = :id
                and v.sequence > :after and v.sequence <= :events_to order by v.sequence)
            """);

    @Override
    public Optional<RunSnapshot> find(String runId) {
        if (!isRun(Given.value("runId", runId))) {
            return Optional.empty();
        }
        List<JournalRow> rows = read("journal.find", runId, true, 0, MAX_PAGE, MAX_PAGE, MAX_PAGE);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new RunSnapshot(
                rows.get(0).run(runId),
                part(rows, "step", row -> row.step(runId)),
                part(rows, "effect", row -> row.effect(runId)),
                part(rows, "event", JournalRow::event)));
    }

    @Override
    public List<RecordedStep> steps(String runId, long after, int limit) {
        check(runId, after, limit);
        return part(read("journal.steps", runId, false, after, limit, 0, 0), "step", row -> row.step(runId));
    }

    @Override
    public List<io.holdfast.journal.Effect> effects(String runId, long after, int limit) {
        check(runId, after, limit);
        return part(read("journal.effects", runId, false, after, 0, limit, 0), "effect", row -> row.effect(runId));
    }

    @Override
    public List<RecordedEvent> events(String runId, long after, int limit) {
        check(runId, after, limit);
        return part(read("journal.events", runId, false, after, 0, 0, limit), "event", JournalRow::event);
    }

    private static void check(String runId, long after, int limit) {
        Given.value("runId", runId);
        if (after < 0) {
            throw new InvalidValueException("after", "be 0 or more");
        }
        if (limit < 1 || limit > MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + MAX_PAGE);
        }
    }

    private static long upTo(long after, int limit) {
        return after > Long.MAX_VALUE - limit ? Long.MAX_VALUE : after + limit;
    }

    /** The run's row first; nothing if there is no such run. */
    private List<JournalRow> read(
            String operation, String runId, boolean whole, long after, int steps, int effects, int events) {
        if (!isRun(runId)) {
            return List.of();
        }
        List<JournalRow> rows = transactions.single(
                operation,
                Effect.READ,
                s -> s.call(READ)
                        .set("scope", scope.id())
                        .set("id", runId)
                        .set("whole", whole)
                        .set("after", after)
                        .set("steps_to", upTo(after, steps))
                        .set("effects_to", upTo(after, effects))
                        .set("events_to", upTo(after, events))
                        .rows());
        Optional<JournalRow> run =
                rows.stream().filter(row -> row.part().equals("run")).findFirst();
        if (run.isEmpty()) {
            return List.of();
        }
        long version = requireNonNull(run.get().journalVersion());
        if (version > JpaRunLeases.JOURNAL_VERSION) {
            throw JpaRunLeases.unsupported(runId, version);
        }
        return rows.stream()
                .sorted(Comparator.comparing(row -> !row.part().equals("run")))
                .toList();
    }

    private static <T> List<T> part(List<JournalRow> rows, String part, Function<JournalRow, T> reading) {
        return rows.stream()
                .filter(row -> row.part().equals(part))
                .sorted(Comparator.comparing(JournalRow::ordinal))
                .map(reading)
                .toList();
    }

    private static boolean isRun(String runId) {
        return Identifier.isText(runId, 1, LeaseKey.MAX_ID_BYTES);
    }

    @Override
    public int purge(Duration finishedFor, int limit) {
        return JournalPurge.run(transactions, scope, finishedFor, limit);
    }
}
