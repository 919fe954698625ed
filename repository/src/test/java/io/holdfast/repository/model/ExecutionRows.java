package io.holdfast.repository.model;

import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Decision;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.Intent;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.run.RunChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the tables of runs, journal and approvals hold of one scope. Values are immutable: a rollback is the copy from before. */
final class ExecutionRows {

    /** @param change the last one */
    record Logged(
            String status,
            long revision,
            Map<String, @Nullable Object> input,
            Map<String, @Nullable Object> state,
            Map<String, @Nullable Object> metadata,
            @Nullable RunChange change,
            List<String> events) {}

    record Step(@Nullable Intent intent, @Nullable StepOutcome outcome) {}

    record Sent(
            StepKey step,
            int index,
            String key,
            EffectStatus status,
            @Nullable String result,
            @Nullable Finding finding,
            @Nullable String by) {}

    /** @param last what was committed last, under which fence; an empty list if something else moved the run since */
    record Journaled(
            RunStatus status,
            boolean watched,
            long openedToken,
            String digest,
            @Nullable String cursor,
            String state,
            long revision,
            Object last,
            Map<StepKey, Step> steps,
            Map<List<Object>, Sent> effects,
            List<String> events) {

        Journaled moved(RunStatus next, boolean nextWatched) {
            return new Journaled(
                    next,
                    nextWatched,
                    openedToken,
                    digest,
                    cursor,
                    state,
                    revision + 1,
                    List.of(),
                    new LinkedHashMap<>(steps),
                    new LinkedHashMap<>(effects),
                    new ArrayList<>(events));
        }

        Journaled watching() {
            return new Journaled(
                    status, true, openedToken, digest, cursor, state, revision, last, steps, effects, events);
        }

        Journaled committed(@Nullable String nextCursor, String nextState, Object commit) {
            return new Journaled(
                    status,
                    watched,
                    openedToken,
                    digest,
                    nextCursor,
                    nextState,
                    revision,
                    commit,
                    steps,
                    effects,
                    events);
        }
    }

    record Held(@Nullable String owner, long token, long ttl, long expires) {

        boolean isLive(long now) {
            return owner != null && expires > now;
        }
    }

    record Asked(
            ApprovalRequest request,
            ApprovalState state,
            @Nullable Long expires,
            @Nullable Decision decision,
            @Nullable String step,
            long token,
            @Nullable String withdrawnBy,
            @Nullable String reason,
            boolean heard) {

        boolean isOver(long now) {
            return expires != null && expires <= now;
        }

        /** Whether its run may not know what became of it. */
        boolean isUnheard(long now) {
            return !heard
                    && switch (state) {
                        case APPROVED, REJECTED, WITHDRAWN -> true;
                        case PENDING -> isOver(now);
                        case CONSUMED -> false;
                    };
        }

        Asked decided(Decision by) {
            ApprovalState next =
                    by.verdict() == Decision.Verdict.APPROVED ? ApprovalState.APPROVED : ApprovalState.REJECTED;
            return new Asked(request, next, expires, by, step, token, withdrawnBy, reason, false);
        }

        Asked consumed(StepKey by, long under) {
            return new Asked(
                    request, ApprovalState.CONSUMED, expires, decision, by.text(), under, withdrawnBy, reason, heard);
        }

        Asked withdrawn(@Nullable String by, String why, boolean known) {
            return new Asked(request, ApprovalState.WITHDRAWN, expires, decision, step, token, by, why, known);
        }

        Asked hearing(boolean known) {
            return new Asked(request, state, expires, decision, step, token, withdrawnBy, reason, known);
        }
    }

    final SortedMap<String, Logged> runs = new TreeMap<>();
    final SortedMap<String, Journaled> journals = new TreeMap<>();
    final SortedMap<String, Held> leases = new TreeMap<>();
    final SortedMap<String, Asked> approvals = new TreeMap<>();

    ExecutionRows copy() {
        ExecutionRows copy = new ExecutionRows();
        copy.runs.putAll(runs);
        copy.journals.putAll(journals);
        copy.leases.putAll(leases);
        copy.approvals.putAll(approvals);
        return copy;
    }
}
