package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Prose;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.CancelRequest;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.WorkflowPage;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Workflow states in table {@code workflow}: the plain compare-and-set by entity, all else by one statement. */
final class JpaWorkflows implements Workflows {

    private final Transactions transactions;
    private final Scope scope;

    JpaWorkflows(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private record CreationRow(
            String verdict,
            long revision,
            @Nullable String incarnation,
            @Nullable Instant cancelRequestedAt,
            @Nullable String cancelReason,
            @Nullable Instant createdAt,
            @Nullable Instant updatedAt) {

        Workflow of(WorkflowState state, Map<String, String> labels) {
            return new Workflow(
                    state,
                    revision,
                    UUID.fromString(requireNonNull(incarnation)),
                    WorkflowRow.cancelRequest(cancelRequestedAt, cancelReason),
                    labels,
                    requireNonNull(createdAt),
                    requireNonNull(updatedAt));
        }
    }

    // Nothing at all comes back if a rival's insert was waited for: too new for this snapshot to be seen.
    private static final Statement<CreationRow> CREATE = Statement.returning(CreationRow.class, """
            with {patience},
            given as materialized (select cast(:snapshot as text) as snapshot, cast(:labels as jsonb) as labels),   -- sent once
            fresh as (   -- do nothing on a conflict: a violated key would end a caller's transaction
              insert into {workflow} as w (scope, id, request_id, status, revision, snapshot, labels)
              select :scope, :id, :request, :status, 1, g.snapshot, g.labels
                from given g, (select count(*) from patience) first
              on conflict (scope, id) do nothing
              returning w.revision, w.incarnation, w.cancel_requested_at, w.cancel_reason, w.created_at, w.updated_at),
            labelled as (   -- to be searched by; gone with the workflow
              insert into {workflow_label} (scope, name, value, created_at, id)
              select :scope, l.key, l.value, f.created_at, :id from fresh f, given g, jsonb_each_text(g.labels) l)
            select 'CREATED' as verdict, f.revision, cast(f.incarnation as text) as incarnation, f.cancel_requested_at,
                   f.cancel_reason, f.created_at, f.updated_at
              from fresh f
            union all
            select case when w.snapshot = g.snapshot and w.labels = g.labels then 'SAME' else 'TAKEN' end,
                   w.revision, cast(w.incarnation as text), w.cancel_requested_at, w.cancel_reason, w.created_at, w.updated_at
              from {workflow} w, given g
             where w.scope = :scope and w.id = :id and not exists (select from fresh)
            """);

    @Override
    public Creation create(WorkflowState state, Map<String, String> labels) {
        WorkflowRow.belonging(scope, Given.value("state", state));
        Map<String, String> kept = Labels.checked(labels);
        String snapshot = Snapshots.write(state);
        return Again.until(
                "workflow.create",
                () -> transactions
                        .single(
                                "workflow.create",
                                Effect.WRITE,
                                s -> s.call(CREATE)
                                        .set("scope", scope.id())
                                        .set("id", state.workflowId())
                                        .set("request", state.requestId())
                                        .set("status", state.status().wire())
                                        .set("snapshot", snapshot)
                                        .set("labels", Labels.json(kept))
                                        .first())
                        .map(row -> switch (row.verdict()) {
                            case "CREATED" -> new Creation.Created(row.of(state, kept));
                            case "SAME" -> new Creation.AlreadyCreated(row.of(state, kept));
                            default -> new Creation.Taken(row.revision());
                        }));
    }

    @Override
    public Optional<Workflow> find(String id) {
        return stored(id).map(StoredWorkflow::workflow);
    }

    @Override
    public Optional<Workflow> findCheckpoint(String id, String requestId) {
        Given.value("requestId", requestId);
        return stored(id).filter(row -> row.requestId().equals(requestId)).map(StoredWorkflow::workflow);
    }

    private Optional<StoredWorkflow> stored(String id) {
        if (!Identifier.isIdent(Given.value("id", id))) {
            return Optional.empty();
        }
        return transactions.single("workflow.find", Effect.READ, s -> StoredWorkflow.find(s, scope, id));
    }

    @Override
    public Update update(Workflow read, WorkflowState next) {
        Change change = Change.of(scope, read, next);
        return transactions.single("workflow.update", Effect.WRITE, s -> {
            // The revision vouches for all that was read, so a change that does not follow from it need not be tried.
            Optional<Update> written = change.isLegal() ? VersionedUpdate.of(s, scope, change) : Optional.empty();
            return written.orElseGet(() -> refusal(change, StoredWorkflow.find(s, scope, read.id())));
        });
    }

    /**
     * Why a compare-and-set lost, from a plain read after it. No lock is needed: a revision only grows and an incarnation
     * never comes back, so what made it lose is still to be seen, or has been overtaken by another reason.
     */
    private static Update refusal(Change change, Optional<StoredWorkflow> stored) {
        Workflow read = change.read();
        if (stored.isEmpty()
                || !stored.get().incarnation().equals(read.incarnation().toString())) {
            return new Update.NotFound();
        }
        StoredWorkflow row = stored.get();
        if (row.revision() == read.revision() + 1 && row.snapshot().equals(change.snapshot())) {
            return new Update.AlreadyApplied(row.workflow());
        }
        if (row.actual().isTerminal()) {
            return new Update.Terminal(row.actual());
        }
        if (row.actual() != read.state().status()) {
            return new Update.StatusConflict(row.actual());
        }
        if (row.revision() != read.revision()) {
            return new Update.RevisionConflict(row.revision());
        }
        if (change.breach() == null) {
            throw new IllegalStateException("Not written, and yet nothing stands against it");
        }
        return new Update.HistoryConflict(change.breach());
    }

    private static final Statement<WorkflowRow> UPDATE_FENCED = Statement.returning(WorkflowRow.class, """
            with {patience},
            given as materialized (select cast(:snapshot as text) as snapshot),
            seen as materialized (   -- of the same moment as the lease, whose lock does not wait for who gives it back
              select w.ctid as place from {workflow} w where w.scope = :scope and w.id = :id),
            held as materialized (   -- key share: nobody takes the lease over before we commit, and its heartbeat goes on
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = 'workflow' and x.id = :id for key share of x),
            stored as materialized (   -- after the lease: the order of locks is the same everywhere
              select w.ctid as place, w.incarnation, w.revision, w.status, w.cancel_requested_at, w.cancel_reason, w.updated_at,
                     w.revision = :revision + 1 and w.snapshot = g.snapshot as same
                from {workflow} w, given g, (select count(*) from held) first, (select count(*) from patience) second
               where w.scope = :scope and w.id = :id for no key update of w),
            moment as materialized (select clock_timestamp() as at from (select count(*) from stored) first),
            judged as materialized (
              select m.at, case
                when t.incarnation is null or t.incarnation <> cast(:incarnation as uuid) then 'NOT_FOUND'
                when t.same then 'ALREADY_APPLIED'   -- whatever the fence says: a repeat has to hear it
                when h.owner is null then 'LOST_NONE'
                when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then case when h.expires_at <= b.since then 'LOST_EXPIRED'
                                                    else 'AGAIN' end   -- it may have been renewed while we waited
                when t.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
                when t.status <> :was then 'STATUS'
                when t.revision <> :revision then 'REVISION'
                when not :legal then 'HISTORY'
                when t.place is distinct from s.place then 'AGAIN'   -- with what we waited for, the lease may have been given back
                else 'DONE' end as verdict
                from moment m cross join patience b left join seen s on true left join held h on true left join stored t on true),
            moved as (
              update {workflow} w set revision = w.revision + 1, status = :becomes, snapshot = g.snapshot, updated_at = j.at
                from judged j, given g where j.verdict = 'DONE' and w.scope = :scope and w.id = :id
              returning w.revision, w.status, w.updated_at)
            select j.verdict, coalesce(n.revision, t.revision) as revision, coalesce(n.status, t.status) as status,
                   t.cancel_requested_at, t.cancel_reason, coalesce(n.updated_at, t.updated_at) as updated_at,
                   cast(null as text) as key_outcome from judged j left join stored t on true left join moved n on true
            """);

    @Override
    public Update updateFenced(Workflow read, WorkflowState next, Fence fence) {
        Change change = Change.of(scope, read, next);
        Given.value("fence", fence);
        WorkflowRow row = Again.row(
                transactions,
                "workflow.updateFenced",
                WorkflowRow::verdict,
                s -> change.into(s.call(UPDATE_FENCED), scope)
                        .set("owner", fence.owner())
                        .set("token", fence.token())
                        .row());
        return switch (row.verdict()) {
            case "DONE" -> new Update.Updated(row.after(read, next));
            case "NOT_FOUND" -> new Update.NotFound();
            case "ALREADY_APPLIED" -> new Update.AlreadyApplied(row.after(read, next));
            case "TERMINAL" -> new Update.Terminal(row.actual());
            case "STATUS" -> new Update.StatusConflict(row.actual());
            case "REVISION" -> new Update.RevisionConflict(requireNonNull(row.revision()));
            case "HISTORY" -> new Update.HistoryConflict(requireNonNull(change.breach()));
            default -> new Update.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }

    private static final Statement<WorkflowRow> REQUEST_CANCEL = Statement.returning(WorkflowRow.class, """
            with {patience},
            stored as materialized (
              select w.revision, w.status, w.cancel_requested_at, w.cancel_reason, w.updated_at
                from {workflow} w, (select count(*) from patience) first
               where w.scope = :scope and w.id = :id for no key update of w),
            judged as materialized (
              select case when t.status is null then 'NOT_FOUND'
                          when t.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
                          when t.cancel_requested_at is not null then 'ALREADY'
                          else 'DONE' end as verdict
                from (select count(*) from stored) first left join stored t on true),
            requested as (   -- not the revision: a worker's next write must neither fail for it nor undo it
              update {workflow} w set cancel_requested_at = clock_timestamp(), cancel_reason = cast(:reason as text)
                from judged j where j.verdict = 'DONE' and w.scope = :scope and w.id = :id
              returning w.cancel_requested_at, w.cancel_reason)
            select j.verdict, t.revision, t.status, coalesce(r.cancel_requested_at, t.cancel_requested_at) as cancel_requested_at,
                   coalesce(r.cancel_reason, t.cancel_reason) as cancel_reason, t.updated_at, cast(null as text) as key_outcome
              from judged j left join stored t on true left join requested r on true
            """);

    @Override
    public Cancellation requestCancel(String id, String reason) {
        Given.value("reason", reason);
        if (!Identifier.isIdent(Given.value("id", id))) {
            return new Cancellation.NotFound();
        }
        String kept = Prose.cut(reason, CancelRequest.MAX_REASON);
        WorkflowRow row = transactions.single(
                "workflow.requestCancel",
                Effect.WRITE,
                s -> s.call(REQUEST_CANCEL)
                        .set("scope", scope.id())
                        .set("id", id)
                        .set("reason", kept.isEmpty() ? null : kept)
                        .row());
        return switch (row.verdict()) {
            case "NOT_FOUND" -> new Cancellation.NotFound();
            case "TERMINAL" -> new Cancellation.Terminal(row.actual());
            case "ALREADY" -> new Cancellation.AlreadyRequested(row.cancelRequest());
            default -> new Cancellation.Requested(row.cancelRequest());
        };
    }

    @Override
    public List<WorkflowSummary> list(String after, int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + MAX_PAGE);
        }
        Identifier.text("after", after, 0, 128);
        return transactions.single(
                "workflow.list",
                Effect.READ,
                s -> s.session()
                        .createSelectionQuery("""
                        select w.key.id, w.requestId, w.status, w.revision, w.cancelRequestedAt is not null, w.updatedAt
                          from HoldfastWorkflow w where w.key.scope = :scope and w.key.id > :after order by w.key.id
                        """, WorkflowSummary.class)
                        .setParameter("scope", scope.id())
                        .setParameter("after", after)
                        .setMaxResults(limit)
                        .setFetchSize(0) // as all statements
                        .getResultList());
    }

    @Override
    public WorkflowPage search(WorkflowFilter filter, Optional<WorkflowPage.Place> after, int limit) {
        return WorkflowSearch.page(transactions, scope, filter, after, limit);
    }
}
