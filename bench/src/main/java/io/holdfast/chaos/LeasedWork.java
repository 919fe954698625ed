package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.codec.Fingerprint;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Leases and steps: takes a workflow's lease, does steps of it, and gives the lease back, or not. */
final class LeasedWork implements Workload {

    private final FencedEffect effect = new FencedEffect();

    private static final int PAGE = 100;

    @Override
    public void work(Desk desk) throws InterruptedException {
        Workflow workflow = desk.workflow();
        Optional<Fence> granted = acquire(desk, workflow.id());
        if (granted.isEmpty()) {
            desk.pause();
            return;
        }
        Fence fence = granted.get();
        Optional<Workflow> at = desk.find(workflow.id());
        for (int left = 1 + desk.random.nextInt(4); left > 0 && at.isPresent(); left--) {
            if (at.get().state().status().isTerminal()) {
                break;
            }
            at = one(desk, at.get(), fence);
            desk.pause();
        }
        if (desk.random.nextInt(4) > 0) {
            release(desk, workflow.id(), fence);
        }
    }

    /** Takes the lease of each workflow that there is, and does a step of those that take one. */
    void finish(Desk desk) throws InterruptedException {
        String after = "";
        List<WorkflowSummary> page;
        do {
            page = new ArrayList<>(desk.stores.workflows().list(after, PAGE));
            after = page.isEmpty() ? after : page.get(page.size() - 1).id();
            Collections.shuffle(page, desk.random);
            for (WorkflowSummary summary : page) {
                Optional<Fence> granted = acquire(desk, summary.id());
                if (granted.isPresent()) {
                    Workflow at = desk.find(summary.id()).orElseThrow();
                    if (!at.state().status().isTerminal()) {
                        if (desk.random.nextBoolean()) {
                            stepInOne(desk, at, granted.get());
                        } else {
                            stepInTwo(desk, at, granted.get());
                        }
                    }
                    release(desk, summary.id(), granted.get());
                }
            }
        } while (page.size() == PAGE);
    }

    private static Optional<Fence> acquire(Desk desk, String workflow) {
        Acquisition answer = desk.asking(
                desk.call("acquire", workflow, 0, Entry.NONE),
                () -> desk.stores.leases().acquire(LeaseKey.ofWorkflow(workflow), desk.who, Desk.TTL),
                LeasedWork::answer);
        return answer instanceof Acquisition.Granted granted
                ? Optional.of(granted.lease().fence())
                : Optional.empty();
    }

    private static void release(Desk desk, String workflow, Fence fence) {
        desk.asking(
                desk.call("release", workflow, fence.token(), Entry.NONE),
                () -> desk.stores.leases().release(LeaseKey.ofWorkflow(workflow), fence),
                released -> new Answer(released ? Answer.RELEASED : Answer.REFUSED, 0, 0));
    }

    private Optional<Workflow> one(Desk desk, Workflow at, Fence fence) throws InterruptedException {
        return switch (desk.random.nextInt(5)) {
            case 0 -> renew(desk, at, fence);
            case 1 -> stepInOne(desk, at, fence);
            case 2 -> stepInTwo(desk, at, fence);
            default -> effect.write(desk, at, fence);
        };
    }

    private static Optional<Workflow> renew(Desk desk, Workflow at, Fence fence) {
        LeaseKey key = LeaseKey.ofWorkflow(at.id());
        Renewal renewal = desk.asking(
                desk.call("renew", key.id(), fence.token(), Entry.NONE),
                () -> desk.stores.leases().renew(key, fence),
                said -> said instanceof Renewal.Renewed renewed
                        ? new Answer(Answer.RENEWED, 0, renewed.lease().ttl().toMillis())
                        : Answer.refused());
        return renewal instanceof Renewal.Lost ? Optional.empty() : Optional.of(at);
    }

    private static Optional<Workflow> stepInOne(Desk desk, Workflow at, Fence fence) {
        String write = desk.nextWrite();
        WorkflowState next = Desk.next(at.state(), write);
        StepResult result = new StepResult(at, next, Fingerprint.ofText(write), LeaseAfter.KEEP);
        return write(desk, "step", at, fence, write, () -> desk.stores.steps().step(step(at), result, fence));
    }

    private static Optional<Workflow> stepInTwo(Desk desk, Workflow at, Fence fence) throws InterruptedException {
        Begun begun = desk.asking(
                desk.call("begin", at.id(), fence.token(), Entry.NONE),
                () -> desk.stores.steps().begin(step(at), fence),
                LeasedWork::answer);
        KeyClaim claim;
        if (begun instanceof Begun.New fresh) {
            claim = fresh.claim();
        } else if (begun instanceof Begun.Resumed resumed) {
            claim = resumed.claim();
        } else {
            return Optional.empty();
        }
        desk.pause();
        String write = desk.nextWrite();
        WorkflowState next = Desk.next(at.state(), write);
        StepResult result = new StepResult(at, next, Fingerprint.ofText(write), LeaseAfter.KEEP);
        return write(desk, "finish", at, fence, write, () -> desk.stores.steps().finish(claim, result, fence));
    }

    /** The step that leads on from this revision; whoever does it. */
    private static Step step(Workflow at) {
        return new Step(at.id(), at.id() + ":" + at.revision(), at.state().requestId());
    }

    private static Optional<Workflow> write(
            Desk desk, String operation, Workflow at, Fence fence, String write, Supplier<Finished> question) {
        Finished finished =
                desk.insisting(() -> desk.call(operation, at.id(), fence.token(), write), question, LeasedWork::answer);
        return finished instanceof Finished.Done done
                ? Optional.of(done.workflow())
                : finished instanceof Finished.AlreadyApplied applied
                        ? Optional.of(applied.workflow())
                        : Optional.empty();
    }

    private static Answer answer(Acquisition acquisition) {
        return acquisition instanceof Acquisition.Granted granted ? answer(granted.lease()) : Answer.busy();
    }

    private static Answer answer(Begun begun) {
        return begun instanceof Begun.New fresh
                ? new Answer(Answer.RENEWED, 0, fresh.lease().ttl().toMillis())
                : begun instanceof Begun.Resumed resumed
                        ? new Answer(Answer.RENEWED, 0, resumed.lease().ttl().toMillis())
                        : Answer.refused();
    }

    private static Answer answer(Lease lease) {
        return new Answer(Answer.GRANTED, lease.fence().token(), lease.ttl().toMillis());
    }

    private static Answer answer(Finished finished) {
        return finished instanceof Finished.Done done
                ? Answer.done(done.workflow().revision())
                : finished instanceof Finished.AlreadyApplied applied
                        ? Answer.done(applied.workflow().revision())
                        : Answer.refused();
    }
}
