package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.step.Finished;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;

/** The end of a step: state written, key completed, lease kept or released, or nothing of it. */
final class StepFinish {

    private StepFinish() {}

    private static final Statement<WorkflowRow> FINISH = Statement.returning(WorkflowRow.class, """
            select verdict, revision, status, cancel_requested_at, cancel_reason, updated_at, key_outcome
              from {step_finish}(:lock_timeout, :scope, :id, cast(:incarnation as uuid), :revision, :was, :becomes, :snapshot, :legal,
                                 :key, :reservation, :outcome, :release, :owner, :token)
            """);

    static Finished run(Transactions transactions, Scope scope, KeyClaim claim, StepResult result, Fence fence) {
        Change change = Change.of(scope, result.read(), result.next());
        WorkflowRow row = transactions.single(
                "step.finish",
                Effect.WRITE,
                s -> given(change.into(s.call(FINISH), scope), claim, result, fence)
                        .row());
        return answer(row, change, claim.key());
    }

    private static Call<WorkflowRow> given(Call<WorkflowRow> call, KeyClaim claim, StepResult result, Fence fence) {
        return call.set("key", claim.key())
                .set("reservation", claim.reservation())
                .set("outcome", result.outcome())
                .set("release", result.leaseAfter() == LeaseAfter.RELEASE)
                .set("owner", fence.owner())
                .set("token", fence.token());
    }

    static Finished answer(WorkflowRow row, Change change, String key) {
        return switch (row.verdict()) {
            case "DONE" -> new Finished.Done(row.after(change.read(), change.next()));
            case "NOT_FOUND" -> new Finished.NotFound();
            case "ALREADY_APPLIED" -> new Finished.AlreadyApplied(row.after(change.read(), change.next()));
            case "TERMINAL" -> new Finished.Terminal(row.actual());
            case "STATUS" -> new Finished.StatusConflict(row.actual());
            case "REVISION" -> new Finished.RevisionConflict(requireNonNull(row.revision()));
            case "HISTORY" -> new Finished.HistoryConflict(requireNonNull(change.breach()));
            case "KEY_NOT_FOUND" -> new Finished.KeyNotFound();
            case "KEY_COMPLETED" -> new Finished.KeyCompleted(requireNonNull(row.keyOutcome()));
            case "KEY_REQUEST", "KEY_WORKFLOW", "KEY_RESERVATION" ->
                new Finished.KeyConflict(Binding.valueOf(row.verdict().substring("KEY_".length())));
            case "KEY_UNKNOWN" -> throw KeyRow.unknown(key);
            default -> new Finished.FenceLost(LeaseRow.loss(row.verdict()));
        };
    }
}
