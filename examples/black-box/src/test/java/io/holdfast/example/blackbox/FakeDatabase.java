package io.holdfast.example.blackbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What two fake applications share: orders, and leases that live as long as their instance, and their ttl after it. */
final class FakeDatabase {

    static final class Order {
        final String id;
        String item;
        final long quantity;
        String stage = "s1";
        String status = "RUNNING";
        String workflowStage = "s1";
        long revision = 1;

        Order(String id, String item, long quantity) {
            this.id = id;
            this.item = item;
            this.quantity = quantity;
        }

        void moveWorkflow() {
            revision++;
            workflowStage = "s" + revision;
        }

        Map<String, Object> view() {
            return Map.of(
                    "id", id,
                    "item", item,
                    "quantity", quantity,
                    "stage", stage,
                    "workflow", Map.of("status", status, "revision", revision, "stage", workflowStage));
        }
    }

    record Lease(String holder, long token, long ttlNanos, long takenAt) {}

    final Map<String, Order> orders = new HashMap<>();
    final Map<String, Lease> leases = new HashMap<>();
    final Map<String, Long> tokens = new HashMap<>();
    final Map<String, Long> diedAt = new HashMap<>();
    final Set<String> cached = new HashSet<>();
    final Set<Fault> faults;

    FakeDatabase(Set<Fault> faults) {
        this.faults = faults;
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    boolean isLive(Lease lease) {
        Long died = diedAt.get(lease.holder());
        if (died == null && has(Fault.NOBODY_RENEWS)) {
            return System.nanoTime() - lease.takenAt() < lease.ttlNanos();
        }
        return died == null || System.nanoTime() - died < lease.ttlNanos();
    }

    List<Map<String, Object>> list(String status) {
        List<Map<String, Object>> views = new ArrayList<>();
        for (Order order : orders.values()) {
            if (order.status.equals(status) || has(Fault.LISTS_EVERYTHING)) {
                views.add(order.view());
            }
        }
        return views;
    }
}
