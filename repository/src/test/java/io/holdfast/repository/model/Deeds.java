package io.holdfast.repository.model;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.model.Actor.Claim;
import io.holdfast.repository.model.Actor.Read;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Makes up what an actor does next. */
final class Deeds {

    private final Random random;
    private final Chance chance;
    private final int scopes;

    Deeds(Random random, int scopes) {
        this.random = random;
        this.chance = new Chance(random);
        this.scopes = scopes;
    }

    Deed next(Actor actor) {
        int scope = random.nextInt(scopes);
        if (random.nextInt(12) == 0 && actor.deed().isPresent()) {
            return actor.deed().orElseThrow();
        }
        return switch (random.nextInt(24)) {
            case 0, 1 -> create(scope);
            case 2, 3 -> find(scope);
            case 4, 5 -> update(actor, scope);
            case 6, 7, 8 -> updateFenced(actor, scope);
            case 9 -> cancelOrList(scope);
            case 10, 11 -> acquire(actor, scope);
            case 12 -> renew(actor, scope);
            case 13 -> releaseOrFind(actor, scope);
            case 14, 15 -> reserve(scope);
            case 16, 17 -> complete(actor, scope);
            case 18, 19 -> begin(actor, scope);
            case 20, 21 -> finish(actor, scope);
            case 22 -> step(actor, scope);
            default -> cleanUp(scope);
        };
    }

    private Deed create(int scope) {
        String id = chance.id();
        WorkflowState state = random.nextInt(8) == 0
                ? WorkflowState.builder(id, chance.request())
                        .status(chance.status())
                        .build()
                : WorkflowState.create(id, chance.request());
        Map<String, String> labels = random.nextInt(4) == 0 ? Map.of("team", "blue") : Map.of();
        return new Deed(
                "create " + state + labels,
                scope,
                s -> s.workflows().create(state, labels),
                (m, a) -> m.create(state, labels));
    }

    private Deed find(int scope) {
        String id = chance.id();
        if (random.nextInt(5) == 0) {
            String request = chance.request();
            return new Deed(
                    "find checkpoint " + id + " " + request,
                    scope,
                    s -> s.workflows().findCheckpoint(id, request),
                    (m, a) -> m.findCheckpoint(id, request));
        }
        return new Deed("find " + id, scope, s -> s.workflows().find(id), (m, a) -> m.find(id));
    }

    private Deed update(Actor actor, int scope) {
        if (actor.read(scope).isEmpty()) {
            return find(scope);
        }
        Read read = actor.read(scope).orElseThrow();
        WorkflowState next = chance.next(read.stored().state());
        return new Deed(
                "update " + read.stored() + " to " + next,
                scope,
                s -> s.workflows().update(read.stored(), next),
                (m, a) -> m.update(read.modelled(), next, null));
    }

    private Deed updateFenced(Actor actor, int scope) {
        Optional<Read> known = actor.readOfLeased(scope);
        if (known.isEmpty()) {
            return find(scope);
        }
        Read read = known.orElseThrow();
        WorkflowState next = chance.next(read.stored().state());
        Fence fence = actor.fence(scope, LeaseKey.ofWorkflow(next.workflowId()));
        return new Deed(
                "fenced update " + read.stored() + " to " + next + " under " + fence,
                scope,
                s -> s.workflows().updateFenced(read.stored(), next, fence),
                (m, a) -> m.update(read.modelled(), next, fence));
    }

    private Deed cancelOrList(int scope) {
        String id = chance.id();
        if (random.nextBoolean()) {
            int limit = 1 + random.nextInt(4);
            return new Deed("list after " + id, scope, s -> s.workflows().list(id, limit), (m, a) -> m.list(id, limit));
        }
        String reason = chance.pick(List.of("", "enough", "too dear"));
        return new Deed(
                "cancel " + id + " " + reason,
                scope,
                s -> s.workflows().requestCancel(id, reason),
                (m, a) -> m.requestCancel(id, reason));
    }

    private Deed acquire(Actor actor, int scope) {
        LeaseKey key = chance.leaseKey();
        Duration ttl = Duration.ofHours(1 + random.nextInt(3));
        return new Deed(
                "acquire " + key + " by " + actor.name + " for " + ttl,
                scope,
                s -> s.leases().acquire(key, actor.name, ttl),
                (m, a) -> m.acquire(key, actor.name, ttl));
    }

    private Deed renew(Actor actor, int scope) {
        LeaseKey key = chance.leaseKey();
        Fence fence = actor.fence(scope, key);
        if (random.nextBoolean()) {
            return new Deed(
                    "renew " + key + " under " + fence,
                    scope,
                    s -> s.leases().renew(key, fence),
                    (m, a) -> m.renew(key, fence));
        }
        LeaseKey other = new LeaseKey("tick", "every-hour");
        Map<LeaseKey, Fence> held = Map.of(key, fence, other, actor.fence(scope, other));
        return new Deed("renew all " + held, scope, s -> s.leases().renewAll(held), (m, a) -> m.renewAll(held));
    }

    private Deed releaseOrFind(Actor actor, int scope) {
        LeaseKey key = chance.leaseKey();
        if (random.nextBoolean()) {
            return new Deed("find lease " + key, scope, s -> s.leases().find(key), (m, a) -> m.findLease(key));
        }
        Fence fence = actor.fence(scope, key);
        return new Deed(
                "release " + key + " under " + fence,
                scope,
                s -> s.leases().release(key, fence),
                (m, a) -> m.release(key, fence));
    }

    private Deed reserve(int scope) {
        String key = chance.key();
        String request = chance.request();
        KeepFor keep = chance.keep();
        String name = "reserve " + key + " for " + request;
        if (random.nextInt(4) == 0) {
            return new Deed(
                    name,
                    scope,
                    s -> s.idempotencyKeys().reserve(key, request, keep),
                    (m, a) -> new ModelKeys(m)
                            .reserve(
                                    key,
                                    request,
                                    ((Reservation) a).key().claim().workflowId(),
                                    true,
                                    keep));
        }
        String id = chance.id();
        return new Deed(
                name + " by " + id,
                scope,
                s -> s.idempotencyKeys().reserve(key, request, id, keep),
                (m, a) -> new ModelKeys(m).reserve(key, request, id, false, keep));
    }

    private Deed complete(Actor actor, int scope) {
        if (actor.claim(scope).isEmpty() || random.nextInt(8) == 0) {
            String key = chance.key();
            return new Deed(
                    "find key " + key,
                    scope,
                    s -> s.idempotencyKeys().find(key),
                    (m, a) -> new ModelKeys(m).findKey(key));
        }
        Claim claim = actor.claim(scope).orElseThrow();
        String outcome = chance.outcome();
        if (random.nextBoolean()) {
            return new Deed(
                    "complete " + claim.stored(),
                    scope,
                    s -> s.idempotencyKeys().complete(claim.stored(), outcome),
                    (m, a) -> new ModelKeys(m).complete(claim.modelled(), outcome, null));
        }
        Fence fence = actor.fence(scope, LeaseKey.ofWorkflow(claim.stored().workflowId()));
        return new Deed(
                "complete " + claim.stored() + " under " + fence,
                scope,
                s -> s.idempotencyKeys().completeFenced(claim.stored(), outcome, fence),
                (m, a) -> new ModelKeys(m).complete(claim.modelled(), outcome, fence));
    }

    private Deed begin(Actor actor, int scope) {
        Step step = new Step(actor.leased(scope).orElseGet(chance::id), chance.key(), chance.request(), chance.keep());
        Fence fence = actor.fence(scope, LeaseKey.ofWorkflow(step.workflowId()));
        return new Deed(
                "begin " + step + " under " + fence,
                scope,
                s -> s.steps().begin(step, fence),
                (m, a) -> new ModelSteps(m).begin(step, fence));
    }

    private Deed finish(Actor actor, int scope) {
        Optional<Read> known = actor.readOfLeased(scope);
        if (known.isEmpty() || actor.claim(scope).isEmpty()) {
            return find(scope);
        }
        Read read = known.orElseThrow();
        Claim had = actor.claim(scope, read.stored().id()).orElseThrow();
        // Mostly of the right workflow: any other is refused before it is sent. Sometimes of another reservation.
        Claim claim = random.nextInt(8) == 0 ? had : had.changed(read.stored().id(), random.nextInt(8) == 0 ? 1 : 0);
        WorkflowState next = chance.next(read.stored().state());
        String outcome = chance.outcome();
        LeaseAfter after = chance.pick(List.of(LeaseAfter.values()));
        Fence fence = actor.fence(scope, LeaseKey.ofWorkflow(next.workflowId()));
        return new Deed(
                "finish " + claim.stored() + " " + read.stored() + " to " + next + " under " + fence,
                scope,
                s -> s.steps().finish(claim.stored(), new StepResult(read.stored(), next, outcome, after), fence),
                (m, a) -> new ModelSteps(m)
                        .finish(claim.modelled(), new StepResult(read.modelled(), next, outcome, after), fence));
    }

    private Deed step(Actor actor, int scope) {
        Optional<Read> known = actor.readOfLeased(scope);
        if (known.isEmpty()) {
            return find(scope);
        }
        Read read = known.orElseThrow();
        WorkflowState next = chance.next(read.stored().state());
        Step step = new Step(next.workflowId(), chance.key(), chance.request(), chance.keep());
        String outcome = chance.outcome();
        LeaseAfter after = chance.pick(List.of(LeaseAfter.values()));
        Fence fence = actor.fence(scope, LeaseKey.ofWorkflow(next.workflowId()));
        return new Deed(
                "step " + step + " " + read.stored() + " to " + next + " under " + fence,
                scope,
                s -> s.steps().step(step, new StepResult(read.stored(), next, outcome, after), fence),
                (m, a) -> new ModelSteps(m).step(step, new StepResult(read.modelled(), next, outcome, after), fence));
    }

    private Deed cleanUp(int scope) {
        Cutoff cutoff = new Cutoff(
                Duration.ofHours(random.nextInt(3)), Duration.ofHours(random.nextInt(3)), 1 + random.nextInt(3));
        return new Deed(
                "clean up " + cutoff, scope, s -> s.cleanup().pass(cutoff), (m, a) -> new ModelCleanup(m).pass(cutoff));
    }
}
