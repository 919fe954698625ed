package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.Fingerprint;
import io.holdfast.codec.Identifier;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunUpdate;
import io.holdfast.run.Runs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The compare-and-set of a run, with its events, in one statement. */
final class RunWrite {

    private RunWrite() {}

    private record Row(
            String verdict,
            @Nullable String status,
            @Nullable Long revision,
            @Nullable Long lastSeq,
            @Nullable Instant updatedAt) {}

    private static final Statement<Row> UPDATE = Statement.returning(Row.class, """
            with {patience},
            stored as materialized (
              select r.incarnation, r.status, r.revision, r.last_seq, r.change, r.updated_at
                from {run} r, (select count(*) from patience) first
               where r.scope = :scope and r.id = :id for no key update of r),
            judged as materialized (
              select case
                when t.incarnation is null or t.incarnation <> cast(:incarnation as uuid) then 'NOT_FOUND'
                when t.revision - 1 = :revision and t.change = :change then 'ALREADY_APPLIED'
                when t.status = any (cast(:unless as text[])) then 'FORBIDDEN'
                when t.revision <> :revision then 'REVISION'
                else 'DONE' end as verdict
                from (select count(*) from stored) first left join stored t on true),
            moved as (   -- a state that stays is not written again, however long
              update {run} r set status = :status, revision = r.revision + 1, last_seq = r.last_seq + :count,
                     state = coalesce(cast(:state as text), r.state), change = :change,
                     updated_at = greatest(clock_timestamp(), r.updated_at)
                from judged j where j.verdict = 'DONE' and r.scope = :scope and r.id = :id
              returning r.status, r.revision, r.last_seq, r.updated_at),
            logged as (
              insert into {run_event} (scope, run_id, seq, type, payload, at)
              select :scope, :id, n.last_seq - :count + e.place, e.type, e.payload, n.updated_at
                from moved n, unnest(cast(:types as text[]), cast(:payloads as text[]))
                     with ordinality as e (type, payload, place))
            select j.verdict, coalesce(n.status, t.status) as status, coalesce(n.revision, t.revision) as revision,
                   coalesce(n.last_seq, t.last_seq) as last_seq, coalesce(n.updated_at, t.updated_at) as updated_at
              from judged j left join stored t on true left join moved n on true
            """);

    static RunUpdate run(Transactions transactions, Scope scope, Run read, RunChange change) {
        Identifier.text("read", read.id(), 1, Runs.MAX_ID_BYTES);
        EventTexts events = EventTexts.of(change.events(), 0);
        String update = Canonical.write("stateUpdate", change.stateUpdate(), Runs.MAX_STATE_BYTES);
        String state = change.stateUpdate().isEmpty()
                ? null
                : Canonical.write("state", merged(read, change), Runs.MAX_STATE_BYTES);
        Row row = transactions.single(
                "run.update",
                Effect.WRITE,
                s -> s.call(UPDATE)
                        .set("scope", scope.id())
                        .set("id", read.id())
                        .set("incarnation", read.incarnation().toString())
                        .set("revision", read.revision())
                        .set("status", change.status())
                        .set("state", state)
                        .set("change", fingerprint(change, update, events))
                        .set("unless", statuses(change))
                        .set("count", (long) events.count())
                        .set("types", events.types())
                        .set("payloads", events.payloads())
                        .row());
        return switch (row.verdict()) {
            case "DONE" -> new RunUpdate.Updated(after(read, row, state));
            case "NOT_FOUND" -> new RunUpdate.NotFound();
            case "ALREADY_APPLIED" -> new RunUpdate.AlreadyApplied(after(read, row, state));
            case "FORBIDDEN" -> new RunUpdate.Forbidden(requireNonNull(row.status()));
            default -> new RunUpdate.RevisionConflict(read.revision(), requireNonNull(row.revision()));
        };
    }

    private static Map<String, @Nullable Object> merged(Run read, RunChange change) {
        Map<String, @Nullable Object> merged = new LinkedHashMap<>(read.state());
        merged.putAll(change.stateUpdate());
        return merged;
    }

    /** Of what the change says; what it was read from, the revision says. */
    private static String fingerprint(RunChange change, String update, EventTexts events) {
        return Fingerprint.ofText(
                String.join("\n", change.status(), update, events.types(), events.payloads())); // none has a line end
    }

    private static String statuses(RunChange change) {
        return change.unless().stream().map(EventTexts::quoted).collect(Collectors.joining(",", "{", "}"));
    }

    private static Run after(Run read, Row row, @Nullable String state) {
        return new Run(
                read.id(),
                requireNonNull(row.status()),
                requireNonNull(row.revision()),
                read.incarnation(),
                requireNonNull(row.lastSeq()),
                read.input(),
                state == null ? read.state() : RunRow.object("state", state),
                read.metadata(),
                read.createdAt(),
                requireNonNull(row.updatedAt()));
    }
}
