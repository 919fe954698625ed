package io.holdfast.repository.model;

import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Somebody who calls the stores, and acts on what it was told, also when that is long past. */
final class Actor {

    /** A workflow as it was read: what the store said, and what the model said. Their incarnations differ. */
    record Read(Workflow stored, Workflow modelled) {}

    /** The same claim on a key, with the number that the store gave it, and the model. */
    record Claim(KeyClaim stored, KeyClaim modelled) {

        /** For that workflow, and so many reservations later. */
        Claim changed(String workflowId, int later) {
            return new Claim(changed(stored, workflowId, later), changed(modelled, workflowId, later));
        }

        private static KeyClaim changed(KeyClaim claim, String workflowId, int later) {
            return new KeyClaim(claim.key(), workflowId, claim.reservation() + later);
        }
    }

    private static final int MEMORY = 12;

    final String name;
    private final Random random;
    private final Map<Integer, List<Read>> reads = new HashMap<>();
    private final Map<Integer, List<Claim>> claims = new HashMap<>();
    private final Map<Integer, Map<LeaseKey, List<Fence>>> fences = new HashMap<>();
    private final List<Deed> deeds = new ArrayList<>();

    Actor(String name, Random random) {
        this.name = name;
        this.random = random;
    }

    /** Takes note of all that equal answers of store and model say. */
    void learn(Deed deed, Object stored, Object modelled) {
        remember(deeds, deed);
        List<Workflow> twins = Answers.all(Workflow.class, modelled);
        List<KeyClaim> twinClaims = Answers.all(KeyClaim.class, modelled);
        Answers.walk(stored, part -> {
            if (part instanceof Workflow workflow) {
                remember(
                        reads.computeIfAbsent(deed.scope(), s -> new ArrayList<>()),
                        new Read(workflow, twins.remove(0)));
            } else if (part instanceof KeyClaim claim) {
                remember(
                        claims.computeIfAbsent(deed.scope(), s -> new ArrayList<>()),
                        new Claim(claim, twinClaims.remove(0)));
            } else if (part instanceof Lease lease) {
                remember(
                        fences.computeIfAbsent(deed.scope(), s -> new TreeMap<>(ModelRows.BY_KEY))
                                .computeIfAbsent(lease.key(), k -> new ArrayList<>()),
                        lease.fence());
            }
        });
    }

    /** The same one, to try something that will be rolled back: what it is told there is not to be remembered. */
    Actor dreaming() {
        Actor copy = new Actor(name, random);
        reads.forEach((scope, known) -> copy.reads.put(scope, new ArrayList<>(known)));
        claims.forEach((scope, known) -> copy.claims.put(scope, new ArrayList<>(known)));
        fences.forEach((scope, known) -> {
            Map<LeaseKey, List<Fence>> byKey = copy.fences.computeIfAbsent(scope, s -> new TreeMap<>(ModelRows.BY_KEY));
            known.forEach((key, fences) -> byKey.put(key, new ArrayList<>(fences)));
        });
        copy.deeds.addAll(deeds);
        return copy;
    }

    Optional<Read> read(int scope) {
        return recent(reads.getOrDefault(scope, List.of()));
    }

    /** Mostly of a workflow that it has leased at some time. */
    Optional<Read> readOfLeased(int scope) {
        Optional<String> id = leased(scope);
        List<Read> known = reads.getOrDefault(scope, List.of()).stream()
                .filter(read -> id.isPresent() && read.stored().id().equals(id.orElseThrow()))
                .toList();
        return known.isEmpty() || random.nextInt(8) == 0 ? read(scope) : recent(known);
    }

    Optional<String> leased(int scope) {
        List<LeaseKey> keys = fences.getOrDefault(scope, Map.of()).keySet().stream()
                .filter(key -> key.kind().equals(LeaseKey.WORKFLOW))
                .toList();
        return keys.isEmpty()
                ? Optional.empty()
                : Optional.of(keys.get(random.nextInt(keys.size())).id());
    }

    Optional<Claim> claim(int scope) {
        return recent(claims.getOrDefault(scope, List.of()));
    }

    /** Mostly of this workflow. */
    Optional<Claim> claim(int scope, String workflowId) {
        List<Claim> known = claims.getOrDefault(scope, List.of()).stream()
                .filter(claim -> claim.stored().workflowId().equals(workflowId))
                .toList();
        return known.isEmpty() || random.nextInt(8) == 0 ? claim(scope) : recent(known);
    }

    Optional<Deed> deed() {
        return recent(deeds);
    }

    /** Mostly one it has; sometimes half of one, or one that it never had. */
    Fence fence(int scope, LeaseKey key) {
        Fence own = recent(fences.getOrDefault(scope, Map.of()).getOrDefault(key, List.of()))
                .orElseGet(() -> new Fence(name, 1 + random.nextInt(6)));
        return switch (random.nextInt(20)) {
            case 0 -> new Fence(own.owner(), own.token() + 1);
            case 1 -> new Fence(own.owner(), Math.max(1, own.token() - 1));
            case 2 -> new Fence("nobody", own.token());
            default -> own;
        };
    }

    /** The last of them more often than not. */
    private <T> Optional<T> recent(List<T> all) {
        if (all.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(all.get(random.nextInt(10) < 6 ? all.size() - 1 : random.nextInt(all.size())));
    }

    private static <T> void remember(List<T> all, T one) {
        all.add(one);
        if (all.size() > MEMORY) {
            all.remove(0);
        }
    }
}
