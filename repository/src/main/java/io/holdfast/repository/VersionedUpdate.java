package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.entity.WorkflowEntity;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.util.Optional;
import org.hibernate.StaleStateException;

/** The compare-and-set that Hibernate itself makes by {@code @Version}: one {@code update}. */
final class VersionedUpdate {

    private VersionedUpdate() {}

    /** Empty if the row is not what was read any more. */
    static Optional<Update> of(Statements statements, Scope scope, Change change) {
        Workflow read = change.read();
        WorkflowEntity entity = new WorkflowEntity(
                new WorkflowEntity.Key(scope.id(), read.id(), read.incarnation()),
                read.revision(),
                change.next().status().wire(),
                change.snapshot());
        try {
            statements.session().update(entity);
        } catch (StaleStateException e) {
            return Optional.empty();
        }
        return Optional.of(new Update.Updated(new Workflow(
                change.next(),
                entity.getRevision(),
                read.incarnation(),
                read.cancelRequest(),
                read.labels(),
                read.createdAt(),
                read.updatedAt())));
    }
}
