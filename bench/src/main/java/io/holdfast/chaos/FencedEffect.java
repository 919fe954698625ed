package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Holdfast;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import java.util.Optional;

/**
 * A fenced write with an effect of the application's own, a row, in one transaction of the application's, which is at times open
 * for longer than the lease.
 */
final class FencedEffect {

    static final String TABLE =
            "create table chaos_effect (write text not null, workflow text not null, token bigint not null)";

    /** From then on it may have happened. */
    private boolean committing;

    /** Once more, the very same, if nobody knows what became of it. */
    Optional<Workflow> write(Desk desk, Workflow at, Fence fence) throws InterruptedException {
        String write = desk.nextWrite();
        WorkflowState next = Desk.next(at.state(), write);
        try {
            return once(desk, at, next, fence, write);
        } catch (PersistenceException e) {
            if (!committing) {
                throw e;
            }
            return once(desk, at, next, fence, write);
        }
    }

    private Optional<Workflow> once(Desk desk, Workflow at, WorkflowState next, Fence fence, String write)
            throws InterruptedException {
        Told.Call call = desk.call("update", at.id(), fence.token(), write);
        committing = false;
        try (EntityManager manager = desk.factory.createEntityManager()) {
            manager.getTransaction().begin();
            try {
                Update update =
                        Holdfast.joining(manager).in(Desk.SCOPE).workflows().updateFenced(at, next, fence);
                if (update instanceof Update.AlreadyApplied before) {
                    manager.getTransaction().rollback();
                    call.told(Answer.DONE, fence.token(), before.workflow().revision());
                    return Optional.of(before.workflow());
                }
                if (!(update instanceof Update.Updated updated)) {
                    manager.getTransaction().rollback();
                    call.told(Answer.REFUSED);
                    return Optional.empty();
                }
                manager.createNativeQuery("insert into chaos_effect (write, workflow, token) values (?1, ?2, ?3)")
                        .setParameter(1, write)
                        .setParameter(2, at.id())
                        .setParameter(3, fence.token())
                        .executeUpdate();
                desk.pauseLong();
                committing = true;
                // A line more: from here on it counts as written, not from when the transaction began.
                desk.call("commit", at.id(), fence.token(), write);
                manager.getTransaction().commit();
                call.told(Answer.DONE, fence.token(), updated.workflow().revision());
                return Optional.of(updated.workflow());
            } finally {
                if (manager.getTransaction().isActive()) {
                    manager.getTransaction().rollback();
                }
            }
        } catch (RuntimeException | Error e) {
            desk.wrote(call, Failure.ofApplication(e, committing), e);
            throw e;
        }
    }
}
