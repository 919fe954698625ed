package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.approval.Approvals;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.run.Runs;
import io.holdfast.session.WorkspaceSessions;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What the tests of a contract start from: the stores of a scope that is each test's own, and how to get somewhere. */
abstract class Contract {

    static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    static final Duration MINUTE = Duration.ofSeconds(60);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    final Environment environment;
    final Scope scope = Scope.of("scope-" + NUMBER.incrementAndGet());
    final Watched watched;
    final Workflows workflows;
    final IdempotencyKeys keys;
    final Leases leases;
    final Steps steps;
    final Runs runs;
    final WorkspaceSessions sessions;
    final Approvals approvals;
    final AgentCheckpoints agents;
    final Checkpoints checkpoints;
    final Cleanup cleanup;

    Contract(Environment environment) {
        this.environment = environment;
        Tenant tenant = new Tenant(environment, scope);
        watched = tenant.watched();
        workflows = tenant.workflows();
        keys = tenant.keys();
        leases = tenant.leases();
        steps = tenant.steps();
        runs = tenant.runs();
        sessions = tenant.sessions();
        approvals = tenant.approvals();
        agents = tenant.agents();
        checkpoints = tenant.checkpoints();
        cleanup = tenant.cleanup();
    }

    static String fingerprint(char digit) {
        return "sha256:" + String.valueOf(digit).repeat(64);
    }

    /** A new workflow {@code id} of request {@code req-1}. */
    final Workflow created(String id) {
        return created(WorkflowState.create(id, "req-1"));
    }

    final Workflow created(WorkflowState state) {
        return ((Creation.Created) workflows.create(state, Map.of())).workflow();
    }

    final Workflow stored(String id) {
        return workflows.find(id).orElseThrow();
    }

    static WorkflowState moved(Workflow read, WorkflowStatus target) {
        return moved(read.state(), target);
    }

    static WorkflowState moved(WorkflowState state, WorkflowStatus target) {
        return WorkflowRules.transition(state, target, "ev-" + state.events().size(), AT);
    }

    static WorkflowState checkpointed(Workflow read, String stage) {
        return WorkflowRules.checkpoint(
                read.state(), stage, "ev-" + read.state().events().size(), AT);
    }

    final Workflow updated(Workflow read, WorkflowState next) {
        return ((Update.Updated) workflows.update(read, next)).workflow();
    }

    /** A workflow that is running, at revision 3. */
    final Workflow running(String id) {
        Workflow queued = updated(created(id), moved(WorkflowState.create(id, "req-1"), WorkflowStatus.QUEUED));
        return updated(queued, moved(queued, WorkflowStatus.RUNNING));
    }

    final Lease granted(String workflowId, String owner) {
        return granted(LeaseKey.ofWorkflow(workflowId), owner, MINUTE);
    }

    final Lease granted(LeaseKey key, String owner, Duration ttl) {
        return ((Acquisition.Granted) leases.acquire(key, owner, ttl)).lease();
    }

    /** Lets a lease's time be over. */
    final void expire(LeaseKey key) {
        environment.changeRow(
                "update {lease} set granted_at = granted_at - interval '1 hour', expires_at = clock_timestamp()"
                        + " where scope = ? and kind = ? and id = ?",
                scope.id(),
                key.kind(),
                key.id());
    }

    final KeyClaim reserved(String key, String workflowId) {
        Reservation answer = keys.reserve(key, "req-1", workflowId, KeepFor.DEFAULT);
        assertThat(answer).isInstanceOf(Reservation.New.class);
        return answer.key().claim();
    }

    /** The reservation after this one, of a key that had lapsed. */
    static KeyClaim next(KeyClaim former, String workflowId) {
        return new KeyClaim(former.key(), workflowId, former.reservation() + 1);
    }

    /** Lets a key's time be over. */
    final void expireKey(String key) {
        environment.changeRow(
                "update {idempotency_key} set expires_at = clock_timestamp() where scope = ? and key = ?",
                scope.id(),
                key);
    }
}
