package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Lease;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Instant;
import java.util.Map;

/** A worker that holds a running workflow's lease, has read its state, and has begun a step: all it needs to write. */
record Worker(Stores stores, Workflow read, Lease lease, Step step, KeyClaim claim) {

    static final String OUTCOME = "sha256:" + "a".repeat(64);
    static final String OTHER_OUTCOME = "sha256:" + "b".repeat(64);

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    /** Owner {@code a} with token 1, revision 1, the first reservation of key {@code <id>:step}. */
    static Worker at(Race race, String id) {
        Workflow read = ((Creation.Created) race.stores.workflows().create(running(id), Map.of())).workflow();
        Lease lease = race.granted(id, "a");
        Step step = new Step(id, id + ":step", "req");
        Begun begun = race.stores.steps().begin(step, lease.fence());
        assertThat(begun).isInstanceOf(Begun.New.class);
        return new Worker(race.stores, read, lease, step, ((Begun.New) begun).claim());
    }

    static WorkflowState running(String id) {
        WorkflowState queued =
                WorkflowRules.transition(WorkflowState.create(id, "req"), WorkflowStatus.QUEUED, "e1", AT);
        return WorkflowRules.transition(queued, WorkflowStatus.RUNNING, "e2", AT);
    }

    /** The same worker, writing as part of another transaction. */
    Worker in(Stores other) {
        return new Worker(other, read, lease, step, claim);
    }

    WorkflowState checkpoint() {
        return WorkflowRules.checkpoint(read.state(), "memory", "e3", AT);
    }

    WorkflowState otherCheckpoint() {
        return WorkflowRules.checkpoint(read.state(), "planning", "e3", AT);
    }

    WorkflowState end() {
        return WorkflowRules.transition(read.state(), WorkflowStatus.SUCCEEDED, "e3", AT);
    }

    Update update() {
        return stores.workflows().updateFenced(read, checkpoint(), lease.fence());
    }

    Finished finish() {
        return finish(checkpoint(), OUTCOME, LeaseAfter.KEEP);
    }

    Finished finish(WorkflowState next, String outcome, LeaseAfter after) {
        return stores.steps().finish(claim, new StepResult(read, next, outcome, after), lease.fence());
    }

    Finished whole() {
        return whole(checkpoint(), OUTCOME);
    }

    Finished whole(WorkflowState next, String outcome) {
        return stores.steps().step(step, new StepResult(read, next, outcome, LeaseAfter.KEEP), lease.fence());
    }
}
