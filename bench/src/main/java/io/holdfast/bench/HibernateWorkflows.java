package io.holdfast.bench;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.bench.entity.LabelRow;
import io.holdfast.bench.entity.WorkflowRow;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.WorkflowPage;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Workflow states as entities with a version. */
final class HibernateWorkflows implements Workflows {

    private final Hibernate hibernate;
    private final HibernateLeases leases;
    private final String scope;

    HibernateWorkflows(Hibernate hibernate, HibernateLeases leases, Scope scope) {
        this.hibernate = hibernate;
        this.leases = leases;
        this.scope = scope.id();
    }

    @Override
    public Creation create(WorkflowState state, Map<String, String> labels) {
        return hibernate.transaction(manager -> {
            String id = state.workflowId();
            Instant now = Instant.now();
            WorkflowRow row = new WorkflowRow(
                    key(id), state.requestId(), state.status().wire(), Snapshots.write(state), labels, now);
            manager.persist(row);
            labels.forEach(
                    (name, value) -> manager.persist(new LabelRow(new LabelRow.Key(scope, name, value, now, id))));
            return new Creation.Created(workflow(row, state, 1));
        });
    }

    @Override
    public Optional<Workflow> find(String id) {
        return Optional.ofNullable(hibernate.find(WorkflowRow.class, key(id)))
                .map(row -> workflow(
                        row,
                        Snapshots.readStored(id, row.getRequestId(), row.getStatus(), row.getSnapshot()),
                        row.getRevision()));
    }

    @Override
    public Update update(Workflow read, WorkflowState next) {
        return hibernate.transaction(manager -> new Update.Updated(written(manager, read, next)));
    }

    @Override
    public Update updateFenced(Workflow read, WorkflowState next, Fence fence) {
        return hibernate.transaction(manager -> {
            leases.held(manager, LeaseKey.ofWorkflow(read.id()), fence, Instant.now());
            return new Update.Updated(written(manager, read, next));
        });
    }

    /** As it will be after the commit. */
    Workflow written(EntityManager manager, Workflow read, WorkflowState next) {
        WorkflowRow row = requireNonNull(manager.find(WorkflowRow.class, key(read.id())));
        Answers.yes(row.getIncarnation().equals(read.incarnation()) && row.getRevision() == read.revision());
        row.setStatus(next.status().wire());
        row.setSnapshot(Snapshots.write(next));
        row.setUpdatedAt(Instant.now());
        return workflow(row, next, read.revision() + 1);
    }

    private WorkflowRow.Key key(String id) {
        return new WorkflowRow.Key(scope, id);
    }

    private static Workflow workflow(WorkflowRow row, WorkflowState state, long revision) {
        return new Workflow(
                state,
                revision,
                row.getIncarnation(),
                Optional.empty(),
                row.getLabels(),
                row.getCreatedAt(),
                row.getUpdatedAt());
    }

    @Override
    public Optional<Workflow> findCheckpoint(String id, String requestId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Cancellation requestCancel(String id, String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<WorkflowSummary> list(String after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public WorkflowPage search(WorkflowFilter filter, Optional<WorkflowPage.Place> after, int limit) {
        throw new UnsupportedOperationException();
    }
}
