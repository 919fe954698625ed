package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.Steps;

/** {@link JpaSteps}, with each call told to whoever watches. */
record ObservedSteps(Observing observing, Scope scope) implements Steps {

    @Override
    public Begun begin(Step step, Fence fence) {
        Begun answer = observing.call(Operation.STEP_BEGIN, on -> over(on).begin(step, fence), Outcomes::of);
        if (answer instanceof Begun.Lost lost) {
            Refused.log(Operation.STEP_BEGIN, scope, "workflow " + step.workflowId(), fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Finished finish(KeyClaim claim, StepResult result, Fence fence) {
        return refused(
                Operation.STEP_FINISH,
                observing.call(Operation.STEP_FINISH, on -> over(on).finish(claim, result, fence), Outcomes::of),
                result,
                fence);
    }

    @Override
    public Finished step(Step step, StepResult result, Fence fence) {
        return refused(
                Operation.STEP_STEP,
                observing.call(Operation.STEP_STEP, on -> over(on).step(step, result, fence), Outcomes::of),
                result,
                fence);
    }

    private Finished refused(Operation operation, Finished answer, StepResult result, Fence fence) {
        if (answer instanceof Finished.FenceLost lost) {
            Refused.log(operation, scope, "workflow " + result.read().id(), fence, lost.reason());
        }
        return answer;
    }

    private JpaSteps over(Transactions transactions) {
        return new JpaSteps(transactions, scope);
    }
}
