package io.holdfast.repository.model;

import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.LeaseKey;
import io.holdfast.state.TransitionRefusedException;
import io.holdfast.state.WorkflowEvent;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Values that an actor makes up: few of them, so that actors meet, and do the same by chance. */
final class Chance {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<WorkflowStatus> STATUSES = List.of(WorkflowStatus.values());

    private final Random random;

    Chance(Random random) {
        this.random = random;
    }

    WorkflowStatus status() {
        return pick(STATUSES);
    }

    /** What may follow, mostly; now and then what may not. */
    WorkflowState next(WorkflowState state) {
        String event = "e" + random.nextInt(3);
        try {
            return switch (random.nextInt(10)) {
                case 0 -> leaping(state, event);
                case 1 -> WorkflowState.create(state.workflowId(), request());
                case 2, 3, 4 -> WorkflowRules.checkpoint(state, pick(List.of("memory", "plan")), event, AT);
                default -> WorkflowRules.transition(state, pick(allowed(state)), event, AT);
            };
        } catch (TransitionRefusedException e) {
            return state.toBuilder().retryCount(random.nextInt(3)).build();
        }
    }

    private WorkflowState leaping(WorkflowState state, String id) {
        WorkflowStatus to = pick(STATUSES);
        List<WorkflowEvent> events = new ArrayList<>(state.events());
        if (random.nextBoolean()) {
            WorkflowStatus from = random.nextBoolean() ? state.status() : pick(STATUSES);
            events.add(new WorkflowEvent(id, state.workflowId(), from, to, AT, Map.of()));
        }
        return state.toBuilder().status(to).events(events).build();
    }

    private static List<WorkflowStatus> allowed(WorkflowState state) {
        List<WorkflowStatus> allowed = STATUSES.stream()
                .filter(target -> WorkflowRules.allows(state.status(), target))
                .toList();
        return allowed.isEmpty() ? STATUSES : allowed;
    }

    String id() {
        return "wf-" + random.nextInt(3);
    }

    String key() {
        return "key-" + random.nextInt(3);
    }

    String request() {
        return random.nextInt(4) == 0 ? "req-2" : "req-1";
    }

    LeaseKey leaseKey() {
        return random.nextInt(5) == 0 ? new LeaseKey("tick", "every-minute") : LeaseKey.ofWorkflow(id());
    }

    KeepFor keep() {
        int hours = random.nextInt(4);
        return hours == 0 ? KeepFor.EVER : KeepFor.of(Duration.ofHours(hours));
    }

    String outcome() {
        return "sha256:" + (random.nextInt(3) == 0 ? "b" : "a").repeat(64);
    }

    <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
