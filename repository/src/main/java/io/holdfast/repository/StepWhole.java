package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.Optional;

/** A step without an outside effect: what begins and finishes it, in one statement and one commit. */
final class StepWhole {

    private StepWhole() {}

    private static final Statement<WorkflowRow> STEP = Statement.returning(WorkflowRow.class, """
            select verdict, revision, status, cancel_requested_at, cancel_reason, updated_at, key_outcome
              from {step_whole}(:lock_timeout, :scope, :id, cast(:incarnation as uuid), :revision, :was, :becomes, :snapshot, :legal,
                                :key, :request, :keep, :outcome, :release, :owner, :token)
            """);

    static Finished run(Transactions transactions, Scope scope, Step step, StepResult result, Fence fence) {
        Change change = Change.of(scope, result.read(), result.next());
        return Again.until("step.step", () -> {
            WorkflowRow row = transactions.single(
                    "step.step",
                    Effect.WRITE,
                    s -> given(change.into(s.call(STEP), scope), step, result, fence)
                            .row());
            return row.verdict().equals("AGAIN")
                    ? Optional.empty()
                    : Optional.of(StepFinish.answer(row, change, step.key()));
        });
    }

    private static Call<WorkflowRow> given(Call<WorkflowRow> call, Step step, StepResult result, Fence fence) {
        return call.set("key", step.key())
                .set("request", step.requestId())
                .set("keep", step.keepFor().millis())
                .set("outcome", result.outcome())
                .set("release", result.leaseAfter() == LeaseAfter.RELEASE)
                .set("owner", fence.owner())
                .set("token", fence.token());
    }
}
