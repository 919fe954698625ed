package io.holdfast.repository;

import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.run.Run;
import io.holdfast.run.RunCreation;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Begun;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Brings one workflow to where a test begins. The states it makes are the same whenever they are made. */
record Worker(Stores stores, String id) {

    static final String OUTCOME = "sha256:" + "a".repeat(64);
    static final String OTHER_OUTCOME = "sha256:" + "b".repeat(64);
    static final Duration TTL = Duration.ofMinutes(10);

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    WorkflowState first() {
        return WorkflowState.create(id, "req-1");
    }

    static WorkflowState queued(Workflow read) {
        return WorkflowRules.transition(read.state(), WorkflowStatus.QUEUED, "to-queued", AT);
    }

    static WorkflowState closed(Workflow read) {
        return WorkflowRules.transition(read.state(), WorkflowStatus.CLOSED, "to-closed", AT);
    }

    static WorkflowState checkpointed(Workflow read) {
        return WorkflowRules.checkpoint(read.state(), "memory", "checkpoint", AT);
    }

    /** A state that cannot follow on what was read. */
    static WorkflowState leaping(Workflow read) {
        return read.state().toBuilder().status(WorkflowStatus.SUCCEEDED).build();
    }

    Workflow created() {
        return ((Creation.Created) stores.workflows().create(first(), Map.of())).workflow();
    }

    Run started() {
        return ((RunCreation.Created) stores.runs().create(id, Map.of("a", 1), Map.of())).run();
    }

    LeaseKey lease() {
        return LeaseKey.ofWorkflow(id);
    }

    Fence acquired(String owner) {
        return ((Acquisition.Granted) stores.leases().acquire(lease(), owner, TTL))
                .lease()
                .fence();
    }

    /** The holder's fence after somebody else took the lease over. */
    Fence superseded() {
        Fence former = acquired("former");
        stores.leases().release(lease(), former);
        acquired("present");
        return former;
    }

    KeyClaim reserved() {
        return stores.idempotencyKeys()
                .reserve(key(), "req-1", id, KeepFor.DEFAULT)
                .key()
                .claim();
    }

    String key() {
        return id + ":step";
    }

    Step step() {
        return new Step(id, key(), "req-1");
    }

    KeyClaim begun(Fence fence) {
        return ((Begun.New) stores.steps().begin(step(), fence)).claim();
    }

    static StepResult result(Workflow read) {
        return new StepResult(read, checkpointed(read), OUTCOME, LeaseAfter.KEEP);
    }

    ApprovalRequest request() {
        return ApprovalRequest.of(id, id, "the call", Expiry.DEFAULT);
    }

    void registered() {
        stores.approvals().register(request());
    }

    Decision approval() {
        return Decision.approve(request().digest(), "ann");
    }

    /** Registered and approved, with the lease of its run. */
    Fence approved() {
        decided();
        return runAcquired();
    }

    void decided() {
        registered();
        stores.approvals().decide(id, approval());
    }

    Fence runAcquired() {
        return ((Acquisition.Granted) stores.leases().acquire(LeaseKey.ofRun(id), "a", TTL))
                .lease()
                .fence();
    }

    ApprovalUse use() {
        return new ApprovalUse(id, id, request().digest(), StepKey.visit("charge", 1));
    }

    ApprovedCall call() {
        return ApprovedCall.of(use(), EffectClass.NON_IDEMPOTENT);
    }

    /** A run of the journal that waits. */
    void run() {
        TestDatabase.get()
                .execute(
                        "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, watched, state,"
                                + " state_version) values ('" + stores.scope().id() + "', '" + id
                                + "', 'workflow', '{}', 'd', 'paused', false, '{}', 2)");
    }

    AgentState agent() {
        return AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"" + id + "\"}");
    }

    /** The lease of its run, with a first checkpoint saved under it. */
    Fence saved() {
        Fence fence = runAcquired();
        stores.agentCheckpoints().save(id, 0, agent(), fence);
        return fence;
    }
}
