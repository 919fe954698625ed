package io.holdfast.repository.contract;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.approval.Approvals;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.repository.Stores;
import io.holdfast.run.Runs;
import io.holdfast.session.WorkspaceSessions;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;
import java.util.Map;

/** The stores of one scope, watched. */
record Tenant(
        Environment environment,
        Scope scope,
        Watched watched,
        Workflows workflows,
        IdempotencyKeys keys,
        Leases leases,
        Steps steps,
        Runs runs,
        WorkspaceSessions sessions,
        Approvals approvals,
        AgentCheckpoints agents,
        Checkpoints checkpoints,
        Cleanup cleanup) {

    Tenant(Environment environment, Scope scope) {
        this(
                environment,
                scope,
                new Watched(environment, scope),
                environment.holdfast().in(scope));
    }

    private Tenant(Environment environment, Scope scope, Watched watched, Stores stores) {
        this(
                environment,
                scope,
                watched,
                watched.watch(Workflows.class, stores.workflows()),
                watched.watch(IdempotencyKeys.class, stores.idempotencyKeys()),
                watched.watch(Leases.class, stores.leases()),
                watched.watch(Steps.class, stores.steps()),
                watched.watch(Runs.class, stores.runs()),
                watched.watch(WorkspaceSessions.class, stores.workspaceSessions()),
                watched.watch(Approvals.class, stores.approvals()),
                watched.watch(AgentCheckpoints.class, stores.agentCheckpoints()),
                watched.watch(Checkpoints.class, stores.checkpoints()),
                watched.watch(Cleanup.class, stores.cleanup()));
    }

    Workflow created(WorkflowState state) {
        return ((Creation.Created) workflows.create(state, Map.of())).workflow();
    }

    Fence granted(LeaseKey key, String owner) {
        return ((Acquisition.Granted) leases.acquire(key, owner, Contract.MINUTE))
                .lease()
                .fence();
    }

    String picture() {
        return watched.picture();
    }

    /** How many workflows the scope has: the unscoped one is shared by all tests. */
    int rows() {
        return Integer.parseInt(environment.value("select count(*) from {workflow} where scope = ?", scope.id()));
    }

    /** What the next new lease of the scope must get. */
    long firstToken() {
        String floor = environment.value("select floor from {lease_floor} where scope = ?", scope.id());
        return floor == null ? 1 : Long.parseLong(floor) + 1;
    }
}
