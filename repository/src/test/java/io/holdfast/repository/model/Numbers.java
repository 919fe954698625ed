package io.holdfast.repository.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The numbers of reservations, whose first of each row is the store's to choose. Those of the store and of the model are in
 * the same order over all rows that a key ever had, removed ones too, and count alike within a row.
 */
final class Numbers {

    private final Map<String, TreeMap<Long, Long>> storedByModelled = new HashMap<>();

    void same(Scope scope, String key, long stored, long modelled) {
        String what = "reservation " + modelled + " of " + key + " in scope '" + scope.id() + "'";
        TreeMap<Long, Long> known = storedByModelled.computeIfAbsent(scope.id() + "|" + key, k -> new TreeMap<>());
        Long before = known.putIfAbsent(modelled, stored);
        if (before != null) {
            assertThat(stored).as(what).isEqualTo(before);
            return;
        }
        Map.Entry<Long, Long> lower = known.lowerEntry(modelled);
        if (lower != null && ModelRows.ofOneRow(lower.getKey(), modelled)) {
            assertThat(stored - lower.getValue()).as(what).isEqualTo(modelled - lower.getKey());
        } else if (lower != null) {
            assertThat(stored).as(what + ", of a new row").isGreaterThan(lower.getValue());
        }
        Map.Entry<Long, Long> higher = known.higherEntry(modelled);
        if (higher != null) {
            assertThat(stored).as(what + ", known late").isLessThan(higher.getValue());
        }
    }
}
