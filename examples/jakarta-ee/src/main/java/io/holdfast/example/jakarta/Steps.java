package io.holdfast.example.jakarta;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Holdfast;
import io.holdfast.state.Transition;
import io.holdfast.state.WorkflowBudget;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/** The workflows of the orders, in the caller's transaction. Every move that is not made is an exception: it rolls back. */
@ApplicationScoped
@Transactional(Transactional.TxType.MANDATORY)
public class Steps {

    static final Scope SCOPE = Scope.of("orders");

    private static final String FIRST = "step-1";

    @Inject
    private Holdfast holdfast;

    /** @return the stage it begins with */
    public String start(String id) {
        WorkflowState state = WorkflowState.builder(id, id)
                .status(WorkflowStatus.RUNNING)
                .attempts(1)
                .currentStage(FIRST)
                .budget(WorkflowBudget.DEFAULT.withMaxEvents(1_000))
                .build();
        Creation answer = workflows().create(state, Map.of());
        if (!(answer instanceof Creation.Created)) {
            throw Refused.lost(answer);
        }
        return FIRST;
    }

    /**
     * @param expected the revision that the caller has seen, if it has
     * @return the stage it is at now
     */
    public String advance(String id, OptionalLong expected) {
        return move(id, expected, workflows()::update);
    }

    /** As {@link #advance}, but only under that fence. */
    public String advance(String id, Fence fence) {
        return move(id, OptionalLong.empty(), (read, next) -> workflows().updateFenced(read, next, fence));
    }

    /** An advance that stays, whatever becomes of the caller's transaction. */
    @Transactional(Transactional.TxType.REQUIRES_NEW)
    public void advanceAlone(String id) {
        advance(id, OptionalLong.empty());
    }

    public void fail(String id, String reason) {
        Workflow read = read(id);
        Transition move =
                Transition.to(WorkflowStatus.FAILED, event(read), Instant.now()).withMetadata(Map.of("reason", reason));
        requireUpdated(workflows().update(read, WorkflowRules.transition(read.state(), move)));
    }

    // snippet: move
    private String move(String id, OptionalLong expected, BiFunction<Workflow, WorkflowState, Update> write) {
        Workflow read = read(id);
        if (expected.isPresent() && expected.getAsLong() != read.revision()) {
            throw Refused.lost(new Update.RevisionConflict(read.revision()));
        }
        String stage = "step-" + (read.revision() + 1);
        requireUpdated(write.apply(read, WorkflowRules.checkpoint(read.state(), stage, event(read), Instant.now())));
        return stage;
    }

    private static void requireUpdated(Update answer) {
        if (!(answer instanceof Update.Updated)) {
            throw Refused.lost(answer);
        }
    }

    private Workflow read(String id) {
        return workflows().find(id).orElseThrow(() -> Refused.notFound(id));
    }

    private Workflows workflows() {
        return holdfast.in(SCOPE).workflows();
    }
    // end

    private static String event(Workflow read) {
        return "event-" + read.revision();
    }
}
