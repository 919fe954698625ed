package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Micros;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.WorkflowPage;
import io.holdfast.workflow.WorkflowPage.Place;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists by filter. Each statement walks one index in the order of the answer and stops when the page is full: that of all
 * workflows, of a status, or of a label; what else the filter says is looked at on the way.
 */
final class WorkflowSearch {

    private WorkflowSearch() {}

    private record Row(
            String id,
            String requestId,
            String status,
            long revision,
            boolean cancelRequested,
            Instant createdAt,
            Instant updatedAt) {

        WorkflowPage.Line line() {
            return new WorkflowPage.Line(
                    new WorkflowSummary(id, requestId, status, revision, cancelRequested, updatedAt), createdAt);
        }
    }

    private static final Statement<Row> ALL = Statement.returning(Row.class, """
            select w.id, w.request_id, w.status, w.revision, w.cancel_requested_at is not null as cancel_requested,
                   w.created_at, w.updated_at
              from {workflow} w
             where w.scope = :scope and (w.created_at, w.id) > (cast(:at as timestamptz), :id)
               and w.created_at <= (select clock_timestamp()) - :min * interval '1 millisecond'   -- in brackets: read once
               and w.created_at >= (select clock_timestamp()) - :max * interval '1 millisecond'
             order by w.created_at, w.id limit :limit
            """);

    private static final Statement<Row> OF_STATUS = Statement.returning(Row.class, """
            select w.id, w.request_id, w.status, w.revision, w.cancel_requested_at is not null as cancel_requested,
                   w.created_at, w.updated_at
              from {workflow} w
             where w.scope = :scope and w.status = :status and (w.created_at, w.id) > (cast(:at as timestamptz), :id)
               and w.created_at <= (select clock_timestamp()) - :min * interval '1 millisecond'
               and w.created_at >= (select clock_timestamp()) - :max * interval '1 millisecond'
             order by w.created_at, w.id limit :limit
            """);

    private static final Statement<Row> LABELLED = Statement.returning(Row.class, """
            select w.id, w.request_id, w.status, w.revision, w.cancel_requested_at is not null as cancel_requested,
                   w.created_at, w.updated_at
              from {workflow_label} l join {workflow} w on w.scope = l.scope and w.id = l.id
             where l.scope = :scope and l.name = :name and l.value = :value
               and (l.created_at, l.id) > (cast(:at as timestamptz), :id)
               and l.created_at <= (select clock_timestamp()) - :min * interval '1 millisecond'
               and l.created_at >= (select clock_timestamp()) - :max * interval '1 millisecond'
               and w.scope = :scope and w.labels @> cast(:labels as jsonb)
               and (cast(:status as text) is null or w.status = :status)
             order by l.created_at, l.id limit :limit
            """);

    static WorkflowPage page(
            Transactions transactions, Scope scope, WorkflowFilter filter, Optional<Place> after, int limit) {
        Given.value("filter", filter);
        Optional<Place> from = Given.value("after", after).map(WorkflowSearch::checked);
        if (limit < 1 || limit > Workflows.MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + Workflows.MAX_PAGE);
        }
        List<WorkflowPage.Line> lines = transactions
                .single(
                        "workflow.search",
                        Effect.READ,
                        s -> call(s, filter)
                                .set("scope", scope.id())
                                .set(
                                        "at",
                                        from.map(place -> place.createdAt().toString())
                                                .orElse("-infinity"))
                                .set("id", from.map(Place::id).orElse(""))
                                .set(
                                        "min",
                                        filter.minAge().orElse(Duration.ZERO).toMillis())
                                .set(
                                        "max",
                                        filter.maxAge()
                                                .orElse(Duration.ofDays(36_500))
                                                .toMillis())
                                .set("limit", (long) limit)
                                .rows())
                .stream()
                .map(Row::line)
                .toList();
        return new WorkflowPage(lines, lines.size() < limit ? Optional.empty() : Optional.of(place(lines)));
    }

    private static Statements.Call<Row> call(Statements statements, WorkflowFilter filter) {
        String status = filter.status().map(WorkflowStatus::wire).orElse(null);
        if (!filter.labels().isEmpty()) {
            Map.Entry<String, String> first =
                    filter.labels().entrySet().iterator().next();
            return statements
                    .call(LABELLED)
                    .set("name", first.getKey())
                    .set("value", first.getValue())
                    .set("labels", Labels.json(filter.labels()))
                    .set("status", status);
        }
        return status == null
                ? statements.call(ALL)
                : statements.call(OF_STATUS).set("status", status);
    }

    private static Place checked(Place place) {
        return new Place(
                Micros.of("after", Given.value("after", place.createdAt())),
                Identifier.text("after", place.id(), 0, 128));
    }

    private static Place place(List<WorkflowPage.Line> lines) {
        WorkflowPage.Line last = lines.get(lines.size() - 1);
        return new Place(last.createdAt(), last.workflow().id());
    }
}
