package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Decision;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunStatus;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a statement on an approval answers: a verdict, and the approval as it stands if there is one. */
record ApprovalRow(
        String verdict,
        @Nullable String id,
        @Nullable String runId,
        @Nullable String payload,
        @Nullable String digest,
        @Nullable String role,
        @Nullable String status,
        boolean expired,
        @Nullable Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable String decided,
        @Nullable String decidedBy,
        @Nullable String decidedAs,
        @Nullable String decidedReason,
        @Nullable String answer,
        @Nullable Instant decidedAt,
        @Nullable String consumedBy,
        @Nullable Long consumedToken,
        @Nullable Instant consumedAt,
        @Nullable String withdrawnBy,
        @Nullable String withdrawnReason,
        @Nullable Instant withdrawnAt,
        @Nullable Long runRevision,
        @Nullable Long runEvents,
        @Nullable Instant runUpdatedAt) {

    Approval approval() {
        return new Approval(
                requireNonNull(id),
                requireNonNull(runId),
                requireNonNull(payload),
                requireNonNull(digest),
                Optional.ofNullable(role),
                state(requireNonNull(id), requireNonNull(status)),
                expired,
                Optional.ofNullable(decided).map(this::decision),
                Optional.ofNullable(consumedBy)
                        .map(step -> new Approval.Use(step, requireNonNull(consumedToken), requireNonNull(consumedAt))),
                Optional.ofNullable(withdrawnAt)
                        .map(at -> new Approval.Withdrawn(
                                Optional.ofNullable(withdrawnBy), requireNonNull(withdrawnReason), at)),
                requireNonNull(createdAt),
                Optional.ofNullable(expiresAt));
    }

    /** Of a dispatch that is done. */
    RunHead run() {
        return new RunHead(
                requireNonNull(runId),
                RunStatus.RUNNING,
                requireNonNull(runRevision),
                requireNonNull(runEvents),
                requireNonNull(runUpdatedAt));
    }

    private static ApprovalState state(String id, String status) {
        try {
            return ApprovalState.of(status);
        } catch (InvalidValueException e) {
            throw new CorruptRecordException("approval", id, "status must be one that this release knows");
        }
    }

    private Approval.Decided decision(String was) {
        return new Approval.Decided(
                new Decision(
                        Decision.Verdict.of(was),
                        requireNonNull(digest),
                        requireNonNull(decidedBy),
                        Optional.ofNullable(decidedAs),
                        requireNonNull(decidedReason),
                        Optional.ofNullable(answer)),
                requireNonNull(decidedAt));
    }
}
