package io.holdfast.bench;

import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import java.time.Instant;

/** A step as one transaction on entities, or as two. */
final class HibernateSteps implements Steps {

    private final Hibernate hibernate;
    private final HibernateWorkflows workflows;
    private final HibernateLeases leases;
    private final HibernateKeys keys;

    HibernateSteps(Hibernate hibernate, HibernateWorkflows workflows, HibernateLeases leases, HibernateKeys keys) {
        this.hibernate = hibernate;
        this.workflows = workflows;
        this.leases = leases;
        this.keys = keys;
    }

    @Override
    public Begun begin(Step step, Fence fence) {
        return hibernate.transaction(manager -> begin(manager, step, fence));
    }

    @Override
    public Finished finish(KeyClaim claim, StepResult result, Fence fence) {
        return hibernate.transaction(manager -> {
            leases.held(manager, LeaseKey.ofWorkflow(result.read().id()), fence, Instant.now());
            return finish(manager, claim, result);
        });
    }

    @Override
    public Finished step(Step step, StepResult result, Fence fence) {
        return hibernate.transaction(
                manager -> finish(manager, begin(manager, step, fence).claim(), result));
    }

    private Begun.New begin(EntityManager manager, Step step, Fence fence) {
        Lease lease = leases.renewed(manager, LeaseKey.ofWorkflow(step.workflowId()), fence);
        IdempotencyKey key = keys.reserved(manager, step.key(), step.requestId(), step.workflowId(), step.keepFor());
        return new Begun.New(key.claim(), lease);
    }

    private Finished finish(EntityManager manager, KeyClaim claim, StepResult result) {
        Workflow written = workflows.written(manager, result.read(), result.next());
        keys.completed(manager, claim, result.outcome());
        return new Finished.Done(written);
    }
}
