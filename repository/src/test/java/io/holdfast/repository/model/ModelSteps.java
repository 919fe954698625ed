package io.holdfast.repository.model;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.model.ModelRows.Flow;
import io.holdfast.repository.model.ModelRows.Key;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.WorkflowRules;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.Optional;
import java.util.function.Function;

/** The steps of a worker, over the rows of a {@link ModelScope}. */
record ModelSteps(ModelScope scope) {

    private ModelKeys keys() {
        return new ModelKeys(scope);
    }

    Begun begin(Step step, Fence fence) {
        LeaseKey lease = LeaseKey.ofWorkflow(step.workflowId());
        Optional<Loss> loss = scope.loss(lease, fence);
        if (loss.isPresent()) {
            return new Begun.Lost(loss.get());
        }
        Key key = scope.rows.keys.get(step.key());
        if (isFree(key)) {
            Key made = keys().put(step.key(), step.requestId(), step.workflowId(), null, step.keepFor());
            return new Begun.New(claim(step, made), scope.renewed(lease));
        }
        Optional<Binding> difference = keys().difference(key, step.requestId(), step.workflowId());
        if (difference.isPresent()) {
            return new Begun.Conflict(difference.get());
        }
        Lease renewed = scope.renewed(lease);
        return key.outcome() == null
                ? new Begun.Resumed(claim(step, key), renewed)
                : new Begun.Completed(key.outcome(), renewed);
    }

    Finished finish(KeyClaim claim, StepResult result, Fence fence) {
        sameWorkflow(claim.workflowId(), result);
        return judged(claim.key(), result, fence, stored -> {
            Key key = scope.rows.keys.get(claim.key());
            if (key == null) {
                return new Finished.KeyNotFound();
            }
            if (!key.workflow().equals(result.read().id())) {
                return new Finished.KeyConflict(Binding.WORKFLOW);
            }
            if (key.reservation() != claim.reservation()) {
                return new Finished.KeyConflict(Binding.RESERVATION);
            }
            if (key.outcome() != null) {
                return new Finished.KeyCompleted(key.outcome());
            }
            keys().completed(claim.key(), key, result.outcome(), key.keep());
            if (result.leaseAfter() == LeaseAfter.RELEASE) {
                release(result);
            }
            return done(stored, result);
        });
    }

    Finished step(Step step, StepResult result, Fence fence) {
        sameWorkflow(step.workflowId(), result);
        return judged(step.key(), result, fence, stored -> {
            Key key = scope.rows.keys.get(step.key());
            if (isFree(key)) {
                keys().put(step.key(), step.requestId(), step.workflowId(), result.outcome(), step.keepFor());
            } else {
                Optional<Binding> difference = keys().difference(key, step.requestId(), step.workflowId());
                if (difference.isPresent()) {
                    return new Finished.KeyConflict(difference.get());
                }
                if (key.outcome() != null) {
                    return new Finished.KeyCompleted(key.outcome());
                }
                Long keep = Optional.ofNullable(step.keepFor().millis())
                        .map(ms -> ms * 1_000)
                        .orElse(null);
                keys().completed(step.key(), key, result.outcome(), keep);
            }
            if (result.leaseAfter() == LeaseAfter.RELEASE) {
                release(result);
            } else {
                scope.renewed(LeaseKey.ofWorkflow(step.workflowId()));
            }
            return done(stored, result);
        });
    }

    /** What a finish and a step have in common: everything but the key's own verdict. */
    private Finished judged(String keyName, StepResult result, Fence fence, Function<Flow, Finished> byKey) {
        Flow stored = scope.rows.flows.get(result.read().id());
        if (stored == null || !stored.incarnation().equals(result.read().incarnation())) {
            return new Finished.NotFound();
        }
        Key key = scope.rows.keys.get(keyName);
        if (scope.isRepeat(stored, result.read(), result.next())
                && key != null
                && result.outcome().equals(key.outcome())
                && key.workflow().equals(result.read().id())) {
            return new Finished.AlreadyApplied(ModelScope.workflow(stored));
        }
        Optional<Loss> loss = scope.loss(LeaseKey.ofWorkflow(result.read().id()), fence);
        if (loss.isPresent()) {
            return new Finished.FenceLost(loss.get());
        }
        if (stored.isFinished()) {
            return new Finished.Terminal(stored.state().status());
        }
        if (stored.state().status() != result.read().state().status()) {
            return new Finished.StatusConflict(stored.state().status());
        }
        if (stored.revision() != result.read().revision()) {
            return new Finished.RevisionConflict(stored.revision());
        }
        Optional<HistoryBreach> breach = WorkflowRules.history(result.read().state(), result.next());
        return breach.<Finished>map(Finished.HistoryConflict::new).orElseGet(() -> byKey.apply(stored));
    }

    private Finished done(Flow stored, StepResult result) {
        return new Finished.Done(ModelScope.workflow(scope.write(stored, result.next())));
    }

    private void release(StepResult result) {
        scope.rows.leases.computeIfPresent(
                LeaseKey.ofWorkflow(result.read().id()), (k, held) -> held.released(scope.clock.getAsLong()));
    }

    private boolean isFree(Key key) {
        long now = scope.clock.getAsLong();
        return key == null || (key.isOver(now) && !scope.rows.isKept(key, now));
    }

    private static KeyClaim claim(Step step, Key key) {
        return new KeyClaim(step.key(), step.workflowId(), key.reservation());
    }

    private static void sameWorkflow(String workflow, StepResult result) {
        if (!workflow.equals(result.read().id())) {
            throw new InvalidValueException("claim", "be of the workflow that was read");
        }
    }
}
