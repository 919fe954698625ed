package io.holdfast.cleanup;

import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalState;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.RunStatus;
import io.holdfast.state.WorkflowStatus;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a scope keeps.
 *
 * @param ended workflows, by terminal status; a status without an entry is kept for ever
 * @param others what else has come to its end; what has no entry is kept for ever
 * @param expired keys and leases go when their time has been over for so long, by the database's clock, zero to 36,500 days;
 *     none is removed if it is empty
 */
public record RetentionRule(Map<WorkflowStatus, Keep> ended, Map<Ended, Keep> others, Optional<Duration> expired) {

    /** Nothing goes. */
    public static final RetentionRule KEEP_ALL = new RetentionRule(Map.of(), Map.of(), Optional.empty());

    /** Keys and leases go a day after their time was over; all else stays. */
    public static final RetentionRule DEFAULT = KEEP_ALL.withExpired(Duration.ofDays(1));

    public RetentionRule {
        Given.value("ended", ended).forEach((status, keep) -> {
            if (!Given.value("ended", status).isTerminal()) {
                throw new InvalidValueException("ended", "name terminal statuses: succeeded, failed, closed");
            }
            Given.value("ended", keep);
        });
        ended = Map.copyOf(ended);
        Given.value("others", others).forEach((which, keep) -> {
            if (Given.value("others", which).kind() == Kind.ENTRIES
                    && Given.value("others", keep).newest().orElse(0) < 1) {
                throw new InvalidValueException("others", "keep at least one entry of a history");
            }
            Given.value("others", keep);
        });
        others = Map.copyOf(others);
        Given.value("expired", expired).ifPresent(age -> Ages.bounded("expired", age));
    }

    /** The same, but for workflows that ended so; an entry that was there is replaced. */
    public RetentionRule with(WorkflowStatus status, Keep keep) {
        Map<WorkflowStatus, Keep> all = new EnumMap<>(WorkflowStatus.class);
        all.putAll(ended);
        all.put(Given.value("status", status), Given.value("keep", keep));
        return new RetentionRule(all, others, expired);
    }

    /** The same, but for what ended so; an entry that was there is replaced. */
    public RetentionRule with(Ended which, Keep keep) {
        Map<Ended, Keep> all = new HashMap<>(others);
        all.put(Given.value("which", which), Given.value("keep", keep));
        return new RetentionRule(ended, all, expired);
    }

    /** The same, but for journals of runs that ended so: completed or failed. The newest are those that ended last. */
    public RetentionRule withJournals(RunStatus status, Keep keep) {
        return with(new Ended(Kind.JOURNALS, Given.value("status", status).wire()), keep);
    }

    /** The same, but for checkpoints of runs that ended so: completed, failed or rejected. The newest are those that ended last. */
    public RetentionRule withCheckpoints(CheckpointStatus status, Keep keep) {
        return with(new Ended(Kind.CHECKPOINTS, Given.value("status", status).wire()), keep);
    }

    /**
     * The same, but for the histories of runs that have ended, however: once a run's end is as long ago as the time says, if
     * it says anything, the newest entries stay, and the older ones go.
     *
     * @param keep with at least one entry
     */
    public RetentionRule withHistories(Keep keep) {
        return with(new Ended(Kind.ENTRIES, ""), keep);
    }

    /** The same, but for approvals that were settled so: rejected, consumed or withdrawn. One that has only expired is not settled. */
    public RetentionRule withApprovals(ApprovalState state, Keep keep) {
        return with(new Ended(Kind.APPROVALS, Given.value("state", state).wire()), keep);
    }

    /** The same, but for agents' runs that are over: finished, or purged by an operator. */
    public RetentionRule withAgents(AgentStatus status, Keep keep) {
        return with(new Ended(Kind.AGENTS, Given.value("status", status).wire()), keep);
    }

    /**
     * The same, but for runs in this status, counted from their last write. Only the application knows in which of its
     * statuses a run has ended; one that is {@code running} is refused.
     */
    public RetentionRule withRuns(String status, Keep keep) {
        return with(new Ended(Kind.RUNS, status), keep);
    }

    /** The same, but for transcripts, counted from their last save; the newest are those that were begun last. */
    public RetentionRule withSessions(Keep keep) {
        return with(new Ended(Kind.SESSIONS, ""), keep);
    }

    public RetentionRule withExpired(Duration age) {
        return new RetentionRule(ended, others, Optional.of(Given.value("age", age)));
    }
}
