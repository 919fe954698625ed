package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.CancelRequest;
import io.holdfast.workflow.Workflow;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a statement that writes a state answers: a verdict, and what is stored after it. */
record WorkflowRow(
        String verdict,
        @Nullable Long revision,
        @Nullable String status,
        @Nullable Instant cancelRequestedAt,
        @Nullable String cancelReason,
        @Nullable Instant updatedAt,
        @Nullable String keyOutcome) {

    /** The workflow that was read, with the state that is stored now. */
    Workflow after(Workflow read, WorkflowState next) {
        return new Workflow(
                next,
                requireNonNull(revision),
                read.incarnation(),
                cancelRequest(cancelRequestedAt, cancelReason),
                read.labels(),
                read.createdAt(),
                requireNonNull(updatedAt));
    }

    WorkflowStatus actual() {
        return WorkflowStatus.of(requireNonNull(status));
    }

    CancelRequest cancelRequest() {
        return new CancelRequest(requireNonNull(cancelRequestedAt), Optional.ofNullable(cancelReason));
    }

    static Optional<CancelRequest> cancelRequest(@Nullable Instant at, @Nullable String reason) {
        return Optional.ofNullable(at).map(time -> new CancelRequest(time, Optional.ofNullable(reason)));
    }

    /** A state belongs to the scope it is stored in: it carries the scope's fingerprint, or none where the scope has none. */
    static WorkflowState belonging(Scope scope, WorkflowState state) {
        if (!state.tenantScopeFingerprint().equals(scope.fingerprint())) {
            throw new InvalidValueException("tenantScopeFingerprint", "be the scope's, and absent where that has none");
        }
        return state;
    }
}
