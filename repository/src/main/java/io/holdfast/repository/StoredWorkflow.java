package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Workflow;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A workflow as it is stored. Its snapshot may be damaged; reading it says so. */
record StoredWorkflow(
        String id,
        String requestId,
        String status,
        long revision,
        String snapshot,
        String incarnation,
        String labels,
        @Nullable Instant cancelRequestedAt,
        @Nullable String cancelReason,
        Instant createdAt,
        Instant updatedAt) {

    private static final Statement<StoredWorkflow> FIND = Statement.returning(StoredWorkflow.class, """
            select w.id, w.request_id, w.status, w.revision, w.snapshot, cast(w.incarnation as text) as incarnation,
                   cast(w.labels as text) as labels, w.cancel_requested_at, w.cancel_reason, w.created_at, w.updated_at
              from {workflow} w where w.scope = :scope and w.id = :id
            """);

    static Optional<StoredWorkflow> find(Statements statements, Scope scope, String id) {
        return statements.call(FIND).set("scope", scope.id()).set("id", id).first();
    }

    Workflow workflow() {
        return new Workflow(
                Snapshots.readStored(id, requestId, status, snapshot),
                revision,
                UUID.fromString(incarnation),
                WorkflowRow.cancelRequest(cancelRequestedAt, cancelReason),
                Labels.stored(labels),
                createdAt,
                updatedAt);
    }

    WorkflowStatus actual() {
        return WorkflowStatus.of(status);
    }
}
