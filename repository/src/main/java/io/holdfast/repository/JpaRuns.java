package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunEvent;
import io.holdfast.run.RunSummary;
import io.holdfast.run.RunUpdate;
import io.holdfast.run.Runs;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs in tables {@code run} and {@code run_event}. One statement each; the guard is in the statement. */
final class JpaRuns implements Runs {

    private final Transactions transactions;
    private final Scope scope;

    JpaRuns(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private record CreationRow(
            String verdict, long revision, String incarnation, long lastSeq, Instant createdAt, Instant updatedAt) {}

    // Nothing at all comes back if a rival's insert was waited for: too new for this snapshot to be seen.
    private static final Statement<CreationRow> CREATE = Statement.returning(CreationRow.class, """
            with {patience},
            given as materialized (   -- sent once, and one time for both columns
              select cast(:state as text) as state, cast(:metadata as text) as metadata, clock_timestamp() as at),
            fresh as (   -- do nothing on a conflict: a violated key would end a caller's transaction
              insert into {run} as r (scope, id, status, input, state, metadata, created_at, updated_at)
              select :scope, :id, 'running', g.state, g.state, g.metadata, g.at, g.at
                from given g, (select count(*) from patience) first
              on conflict (scope, id) do nothing
              returning r.revision, r.incarnation, r.last_seq, r.created_at, r.updated_at)
            select 'CREATED' as verdict, f.revision, cast(f.incarnation as text) as incarnation, f.last_seq, f.created_at,
                   f.updated_at
              from fresh f
            union all
            select case when r.revision = 1 and r.input = g.state and r.metadata = g.metadata then 'SAME' else 'TAKEN' end,
                   r.revision, cast(r.incarnation as text), r.last_seq, r.created_at, r.updated_at
              from {run} r, given g
             where r.scope = :scope and r.id = :id and not exists (select from fresh)
            """);

    @Override
    public RunCreation create(
            String id,
            Map<String, ? extends @Nullable Object> state,
            Map<String, ? extends @Nullable Object> metadata) {
        Identifier.text("id", id, 1, MAX_ID_BYTES);
        String stateText = Canonical.write("state", Given.value("state", state), MAX_STATE_BYTES);
        String metadataText = Canonical.write("metadata", Given.value("metadata", metadata), MAX_STATE_BYTES);
        return Again.until(
                "run.create",
                () -> transactions
                        .single(
                                "run.create",
                                Effect.WRITE,
                                s -> s.call(CREATE)
                                        .set("scope", scope.id())
                                        .set("id", id)
                                        .set("state", stateText)
                                        .set("metadata", metadataText)
                                        .first())
                        .map(row -> switch (row.verdict()) {
                            case "CREATED" -> new RunCreation.Created(created(id, stateText, metadataText, row));
                            case "SAME" -> new RunCreation.AlreadyCreated(created(id, stateText, metadataText, row));
                            default -> new RunCreation.Taken(row.revision());
                        }));
    }

    private static Run created(String id, String state, String metadata, CreationRow row) {
        return new RunRow(
                        "running",
                        row.revision(),
                        row.incarnation(),
                        row.lastSeq(),
                        state,
                        state,
                        metadata,
                        row.createdAt(),
                        row.updatedAt())
                .run(id);
    }

    private static final Statement<RunRow> FIND = Statement.returning(RunRow.class, """
            select r.status, r.revision, cast(r.incarnation as text) as incarnation, r.last_seq, r.input, r.state, r.metadata,
                   r.created_at, r.updated_at
              from {run} r where r.scope = :scope and r.id = :id
            """);

    @Override
    public Optional<Run> find(String id) {
        if (!Identifier.isText(Given.value("id", id), 1, MAX_ID_BYTES)) {
            return Optional.empty();
        }
        return transactions
                .single(
                        "run.find",
                        Effect.READ,
                        s -> s.call(FIND).set("scope", scope.id()).set("id", id).first())
                .map(row -> row.run(id));
    }

    @Override
    public RunUpdate update(Run read, RunChange change) {
        return RunWrite.run(transactions, scope, Given.value("read", read), Given.value("change", change));
    }

    private record AppendRow(long lastSeq, Instant updatedAt) {}

    // The row itself says the number: whoever waited for it is given it anew, as the rival left it.
    private static final Statement<AppendRow> APPEND = Statement.returning(AppendRow.class, """
            with {patience},
            numbered as (   -- in step with the numbers no time goes back, though the clock may
              update {run} r set last_seq = r.last_seq + :count, updated_at = greatest(clock_timestamp(), r.updated_at)
                from (select count(*) from patience) first
               where r.scope = :scope and r.id = :id   -- of whoever names none, whichever stands there
                 and r.incarnation = coalesce(cast(:incarnation as uuid), r.incarnation)
              returning r.last_seq, r.updated_at),
            logged as (
              insert into {run_event} (scope, run_id, seq, type, payload, at)
              select :scope, :id, n.last_seq - :count + e.place, e.type, e.payload, n.updated_at
                from numbered n, unnest(cast(:types as text[]), cast(:payloads as text[]))
                     with ordinality as e (type, payload, place))
            select n.last_seq, n.updated_at from numbered n
            """);

    @Override
    public Append append(Run read, List<? extends Map<String, ? extends @Nullable Object>> events) {
        Identifier.text("read", Given.value("read", read).id(), 1, MAX_ID_BYTES);
        return append(read.id(), read.incarnation(), events);
    }

    @Override
    public Append append(String id, List<? extends Map<String, ? extends @Nullable Object>> events) {
        Identifier.text("id", id, 1, MAX_ID_BYTES);
        return append(id, null, events);
    }

    /** @param incarnation null: whichever stands there */
    private Append append(
            String id, @Nullable UUID incarnation, List<? extends Map<String, ? extends @Nullable Object>> events) {
        EventTexts texts = EventTexts.of(events, 1);
        Optional<AppendRow> row = transactions.single(
                "run.append",
                Effect.WRITE,
                s -> s.call(APPEND)
                        .set("scope", scope.id())
                        .set("id", id)
                        .set("incarnation", incarnation == null ? null : incarnation.toString())
                        .set("count", (long) texts.count())
                        .set("types", texts.types())
                        .set("payloads", texts.payloads())
                        .first());
        return row.<Append>map(r -> new Append.Appended(r.lastSeq() - texts.count() + 1, r.lastSeq(), r.updatedAt()))
                .orElseGet(Append.NotFound::new);
    }

    // Numbers have no gap, so a page is a range between two of them, which no plan reads more than: not even one that
    // takes
    // the log for short, gathers all of it and sorts.
    private static final Statement<RunRow.Event> EVENTS = Statement.returning(RunRow.Event.class, """
            select e.seq, e.type, e.payload, e.at from {run_event} e
             where e.scope = :scope and e.run_id = :id and e.seq > :after and e.seq <= :up_to order by e.seq
            """);

    @Override
    public List<RunEvent> events(String id, long afterSeq, int limit) {
        paged(limit);
        if (!Identifier.isText(Given.value("id", id), 1, MAX_ID_BYTES)) {
            return List.of();
        }
        long after = Math.max(0, afterSeq);
        return transactions
                .single(
                        "run.events",
                        Effect.READ,
                        s -> s.call(EVENTS)
                                .set("scope", scope.id())
                                .set("id", id)
                                .set("after", after)
                                .set("up_to", after > Long.MAX_VALUE - limit ? Long.MAX_VALUE : after + limit)
                                .rows())
                .stream()
                .map(row -> row.event(id))
                .toList();
    }

    private static final Statement<RunSummary> LIST = Statement.returning(RunSummary.class, """
            select r.id, r.status, r.revision, r.last_seq, r.created_at, r.updated_at from {run} r
             where r.scope = :scope and r.id > :after order by r.id limit :limit
            """);

    @Override
    public List<RunSummary> list(String after, int limit) {
        paged(limit);
        Identifier.text("after", after, 0, MAX_ID_BYTES);
        return transactions.single(
                "run.list",
                Effect.READ,
                s -> s.call(LIST)
                        .set("scope", scope.id())
                        .set("after", after)
                        .set("limit", (long) limit)
                        .rows());
    }

    private static void paged(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + MAX_PAGE);
        }
    }
}
