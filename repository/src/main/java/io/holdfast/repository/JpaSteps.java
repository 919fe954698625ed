package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.Steps;

/** A worker's steps: lease, state and key in one statement each, locked in that order, judged once. */
final class JpaSteps implements Steps {

    private final Transactions transactions;
    private final Scope scope;

    JpaSteps(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    @Override
    public Begun begin(Step step, Fence fence) {
        Given.value("step", step);
        Given.value("fence", fence);
        return StepBegin.run(transactions, scope, step, fence);
    }

    @Override
    public Finished finish(KeyClaim claim, StepResult result, Fence fence) {
        Given.value("claim", claim);
        Given.value("result", result);
        Given.value("fence", fence);
        sameWorkflow("claim", claim.workflowId(), result);
        return StepFinish.run(transactions, scope, claim, result, fence);
    }

    @Override
    public Finished step(Step step, StepResult result, Fence fence) {
        Given.value("step", step);
        Given.value("result", result);
        Given.value("fence", fence);
        sameWorkflow("step", step.workflowId(), result);
        return StepWhole.run(transactions, scope, step, result, fence);
    }

    private static void sameWorkflow(String field, String workflowId, StepResult result) {
        if (!workflowId.equals(result.read().id())) {
            throw new InvalidValueException(field, "be of the workflow that was read");
        }
    }
}
