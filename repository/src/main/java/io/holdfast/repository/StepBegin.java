package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.step.Begun;
import io.holdfast.step.Step;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The beginning of a step: the lease renewed and the key reserved, or neither. */
final class StepBegin {

    private StepBegin() {}

    private record BeginRow(
            String verdict,
            @Nullable Long reservation,
            @Nullable String outcome,
            @Nullable Long ttlMs,
            @Nullable Instant grantedAt,
            @Nullable Instant expiresAt,
            @Nullable Long remainingMicros) {

        KeyClaim claim(Step step) {
            return new KeyClaim(step.key(), step.workflowId(), requireNonNull(reservation));
        }

        Lease lease(Step step, Fence fence) {
            return new LeaseRow(verdict, fence.owner(), fence.token(), ttlMs, grantedAt, expiresAt, remainingMicros)
                    .lease(LeaseKey.ofWorkflow(step.workflowId()));
        }
    }

    private static final Statement<BeginRow> BEGIN = Statement.returning(BeginRow.class, """
            select verdict, reservation, outcome, ttl_ms, granted_at, expires_at, remaining_micros
              from {step_begin}(:lock_timeout, :scope, :workflow, :key, :request, :keep, :owner, :token)
            """);

    static Begun run(Transactions transactions, Scope scope, Step step, Fence fence) {
        return Again.until(
                "step.begin",
                () -> answer(
                        transactions.single(
                                "step.begin",
                                Effect.WRITE,
                                s -> given(s.call(BEGIN), scope, step, fence).row()),
                        step,
                        fence));
    }

    private static Call<BeginRow> given(Call<BeginRow> call, Scope scope, Step step, Fence fence) {
        return call.set("scope", scope.id())
                .set("workflow", step.workflowId())
                .set("key", step.key())
                .set("request", step.requestId())
                .set("keep", step.keepFor().millis())
                .set("owner", fence.owner())
                .set("token", fence.token());
    }

    /** Empty for "again". */
    private static Optional<Begun> answer(BeginRow row, Step step, Fence fence) {
        return switch (row.verdict()) {
            case "AGAIN" -> Optional.empty();
            case "NEW" -> Optional.of(new Begun.New(row.claim(step), row.lease(step, fence)));
            case "RESUMED" -> Optional.of(new Begun.Resumed(row.claim(step), row.lease(step, fence)));
            case "COMPLETED" -> Optional.of(new Begun.Completed(requireNonNull(row.outcome()), row.lease(step, fence)));
            case "REQUEST", "WORKFLOW" -> Optional.of(new Begun.Conflict(Binding.valueOf(row.verdict())));
            case "UNKNOWN" -> throw KeyRow.unknown(step.key());
            default -> Optional.of(new Begun.Lost(LeaseRow.loss(row.verdict())));
        };
    }
}
