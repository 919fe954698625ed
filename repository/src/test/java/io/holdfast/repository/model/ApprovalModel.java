package io.holdfast.repository.model;

import static java.util.Objects.requireNonNull;

import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Consumption.Obstacle;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Registration.Term;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.Intent;
import io.holdfast.journal.RunStatus;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Loss;
import io.holdfast.repository.model.ExecutionRows.Asked;
import io.holdfast.repository.model.ExecutionRows.Journaled;
import io.holdfast.repository.model.ExecutionRows.Sent;
import io.holdfast.repository.model.ExecutionRows.Step;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Approvals of one scope over {@link ExecutionRows}, as their documentation says, one call at a time. */
record ApprovalModel(ExecutionModel execution) {

    private ExecutionRows rows() {
        return execution.rows;
    }

    private long now() {
        return execution.now();
    }

    private void put(Asked asked) {
        rows().approvals.put(asked.request().id(), asked);
    }

    private Approval approval(String id) {
        Asked asked = requireNonNull(rows().approvals.get(id));
        return new Approval(
                id,
                asked.request().run(),
                asked.request().payload(),
                asked.request().digest(),
                asked.request().role(),
                asked.state(),
                asked.isOver(now()),
                Optional.ofNullable(asked.decision()).map(by -> new Approval.Decided(by, Instant.EPOCH)),
                Optional.ofNullable(asked.step()).map(step -> new Approval.Use(step, asked.token(), Instant.EPOCH)),
                asked.state() == ApprovalState.WITHDRAWN
                        ? Optional.of(new Approval.Withdrawn(
                                Optional.ofNullable(asked.withdrawnBy()),
                                requireNonNull(asked.reason()),
                                Instant.EPOCH))
                        : Optional.empty(),
                Instant.EPOCH,
                Optional.ofNullable(asked.expires()).map(at -> Instant.EPOCH));
    }

    Registration register(ApprovalRequest request) {
        Asked stored = rows().approvals.get(request.id());
        if (stored == null) {
            Long millis = request.expiry().millis();
            put(new Asked(
                    request,
                    ApprovalState.PENDING,
                    millis == null ? null : now() + millis * 1_000,
                    null,
                    null,
                    0,
                    null,
                    null,
                    false));
            return new Registration.Registered(approval(request.id()));
        }
        ApprovalRequest former = stored.request();
        if (!former.run().equals(request.run())) {
            return new Registration.Taken(Term.RUN);
        }
        if (!former.digest().equals(request.digest())) {
            return new Registration.Taken(Term.PAYLOAD);
        }
        return former.expiry().equals(request.expiry())
                ? new Registration.AlreadyRegistered(approval(request.id()))
                : new Registration.Taken(Term.EXPIRY);
    }

    Optional<Approval> find(String id) {
        return rows().approvals.containsKey(id) ? Optional.of(approval(id)) : Optional.empty();
    }

    Ruling decide(String id, Decision decision) {
        Asked stored = rows().approvals.get(id);
        if (stored == null) {
            return new Ruling.NotFound();
        }
        if (decision.equals(stored.decision())) {
            return new Ruling.AlreadyDecided(approval(id), true);
        }
        if (!stored.request().digest().equals(decision.digest())) {
            return new Ruling.Mismatch();
        }
        if (stored.decision() != null) {
            return new Ruling.AlreadyDecided(approval(id), false);
        }
        if (stored.state() == ApprovalState.WITHDRAWN) {
            return new Ruling.Withdrawn(approval(id));
        }
        if (stored.isOver(now())) {
            return new Ruling.Expired(approval(id));
        }
        put(stored.decided(decision));
        return new Ruling.Decided(approval(id));
    }

    private Optional<Consumption> obstacle(ApprovalUse use, Fence fence) {
        Asked stored = rows().approvals.get(use.approval());
        if (stored == null) {
            return Optional.of(new Consumption.NotFound());
        }
        boolean fits = stored.request().run().equals(use.run())
                && stored.request().digest().equals(use.digest());
        Approval approval = approval(use.approval());
        if (fits && use.step().text().equals(stored.step())) {
            return Optional.of(new Consumption.AlreadyConsumed(approval, true));
        }
        Optional<Loss> loss = execution.loss(use.run(), fence);
        if (loss.isPresent()) {
            return Optional.of(new Consumption.FenceLost(loss.get()));
        }
        if (!fits) {
            return Optional.of(new Consumption.Mismatch());
        }
        return switch (stored.state()) {
            case CONSUMED -> Optional.of(new Consumption.AlreadyConsumed(approval, false));
            case WITHDRAWN -> Optional.of(new Consumption.Withdrawn(approval));
            case REJECTED -> Optional.of(new Consumption.Rejected(approval));
            case PENDING -> Optional.of(new Consumption.Undecided(approval));
            case APPROVED -> stored.isOver(now()) ? Optional.of(new Consumption.Expired(approval)) : Optional.empty();
        };
    }

    Consumption consume(ApprovalUse use, Fence fence) {
        return obstacle(use, fence).orElseGet(() -> {
            put(requireNonNull(rows().approvals.get(use.approval())).consumed(use.step(), fence.token()));
            return new Consumption.Consumed(approval(use.approval()));
        });
    }

    Consumption dispatch(ApprovedCall call, Fence fence) {
        ApprovalUse use = call.use();
        Optional<Consumption> obstacle = obstacle(use, fence);
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        Journaled run = rows().journals.get(use.run());
        String key = call.idempotencyKey().orElseGet(() -> execution.keyOf(use.run(), use.step()));
        if (run == null) {
            return new Consumption.NotEntered(Obstacle.NO_RUN);
        }
        if (run.status().isFinal()) {
            return new Consumption.NotEntered(Obstacle.RUN_ENDED);
        }
        if (run.steps().containsKey(use.step())) {
            return new Consumption.NotEntered(Obstacle.STEP_TAKEN);
        }
        if (execution.isTaken(key)) {
            return new Consumption.NotEntered(Obstacle.KEY_TAKEN);
        }
        enter(run, call, key);
        put(requireNonNull(rows().approvals.get(use.approval())).consumed(use.step(), fence.token()));
        return new Consumption.Dispatched(approval(use.approval()), execution.head(use.run()));
    }

    private void enter(Journaled run, ApprovedCall call, String key) {
        ApprovalUse use = call.use();
        Journaled next = run.moved(RunStatus.RUNNING, true);
        Intent intent =
                Intent.of(use.step(), use.digest(), key, call.effectClass()).under(use.approval());
        next.steps().put(use.step(), new Step(intent, null));
        next.effects()
                .put(List.of(use.step(), 0), new Sent(use.step(), 0, key, EffectStatus.PENDING, null, null, null));
        next.events().add("approval_consumed");
        rows().journals.put(use.run(), next);
    }

    Withdrawal withdraw(String id, String by, String reason) {
        Asked stored = rows().approvals.get(id);
        if (stored == null) {
            return new Withdrawal.NotFound();
        }
        return switch (stored.state()) {
            case WITHDRAWN -> new Withdrawal.AlreadyWithdrawn(approval(id));
            case CONSUMED, REJECTED -> new Withdrawal.Settled(approval(id));
            case PENDING, APPROVED -> {
                put(stored.withdrawn(by, reason, false));
                yield new Withdrawal.Withdrawn(approval(id));
            }
        };
    }

    /** The ids, in the order in which they were over. */
    List<String> withdrawExpired() {
        List<String> over = rows().approvals.entrySet().stream()
                .filter(asked -> asked.getValue().isOver(now())
                        && (asked.getValue().state() == ApprovalState.PENDING
                                || asked.getValue().state() == ApprovalState.APPROVED))
                .sorted(Comparator.<Map.Entry<String, Asked>, Long>comparing(
                                asked -> requireNonNull(asked.getValue().expires()))
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
        over.forEach(id -> {
            Asked asked = requireNonNull(rows().approvals.get(id));
            put(asked.withdrawn(null, "expired", asked.heard() && asked.state() == ApprovalState.PENDING));
        });
        return over;
    }
}
