package io.holdfast.repository.model;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.lease.LeaseKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Clean-up of a {@link ModelScope}. */
record ModelCleanup(ModelScope scope) {

    Removed pass(Cutoff cutoff) {
        long now = scope.clock.getAsLong();
        List<String> flows = scope.rows.flows.entrySet().stream()
                .filter(e -> e.getValue().isFinished()
                        && e.getValue().updated() <= now - ModelScope.micros(cutoff.finished()))
                .sorted(Comparator.comparing(e -> e.getValue().updated()))
                .limit(cutoff.limit())
                .map(Map.Entry::getKey)
                .toList();
        List<String> keys = scope.rows.keys.entrySet().stream()
                .filter(e -> e.getValue().isOver(now - ModelScope.micros(cutoff.expired()))
                        && !scope.rows.isKept(e.getValue(), now))
                .sorted(Comparator.comparing(e -> e.getValue().expires()))
                .limit(cutoff.limit())
                .map(Map.Entry::getKey)
                .toList();
        List<LeaseKey> leases = scope.rows.leases.entrySet().stream()
                .filter(e -> e.getValue().expires() <= now - ModelScope.micros(cutoff.expired()))
                .limit(cutoff.limit())
                .map(Map.Entry::getKey)
                .toList();
        leases.forEach(key -> scope.rows.floor =
                Math.max(scope.rows.floor, scope.rows.leases.get(key).token()));
        scope.rows.flows.keySet().removeAll(flows);
        scope.rows.keys.keySet().removeAll(keys);
        scope.rows.leases.keySet().removeAll(leases);
        return new Removed(flows.size(), keys.size(), leases.size());
    }
}
