package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.approval.Approvals;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.RunLeases;
import io.holdfast.lease.Leases;
import io.holdfast.run.Runs;
import io.holdfast.session.WorkspaceSessions;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Workflows;
import java.util.Optional;

/**
 * The stores, bound to one scope: there is no way to name another's rows from here. Cheap to make and thread-safe, unless it
 * came from {@link Holdfast#atomically}: then it is for the thread that runs the transaction.
 */
public final class Stores {

    private final Observing observing;
    private final Scope scope;

    Stores(Observing observing, Scope scope) {
        this.observing = observing;
        this.scope = scope;
    }

    public Scope scope() {
        return scope;
    }

    public Workflows workflows() {
        return new ObservedWorkflows(observing, scope);
    }

    public IdempotencyKeys idempotencyKeys() {
        return new ObservedKeys(observing, scope);
    }

    public Leases leases() {
        return new ObservedLeases(observing, scope);
    }

    public Steps steps() {
        return new ObservedSteps(observing, scope);
    }

    public Runs runs() {
        return new ObservedRuns(observing, scope);
    }

    public WorkspaceSessions workspaceSessions() {
        return new ObservedSessions(observing, scope);
    }

    public AgentCheckpoints agentCheckpoints() {
        return new ObservedAgentCheckpoints(observing, scope);
    }

    public Approvals approvals() {
        return new ObservedApprovals(observing, scope);
    }

    /** The journals of runs. */
    public ExecutionJournal journal() {
        return new ObservedJournal(observing, scope);
    }

    /** Who is at work on which run. */
    public RunLeases runLeases() {
        return new ObservedRunLeases(observing, scope);
    }

    public Checkpoints checkpoints() {
        return new ObservedCheckpoints(observing, scope);
    }

    Transactions transactions() {
        return observing.transactions();
    }

    /** Clean-up of this scope alone. */
    public Cleanup cleanup() {
        return new ObservedCleanup(observing, Optional.of(scope));
    }
}
