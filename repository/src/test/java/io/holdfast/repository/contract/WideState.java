package io.holdfast.repository.contract;

import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowEvent;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A state whose snapshot has a length to the byte; its writer does not look at the length. */
final class WideState {

    private WideState() {}

    static WorkflowState ofBytes(int bytes) {
        List<WorkflowEvent> events = new ArrayList<>();
        Map<String, String> metadata = new HashMap<>();
        for (int i = 0; i < 32; i++) {
            metadata.put("m" + i, "x".repeat(4_000));
        }
        for (int i = 0; i < 8; i++) {
            events.add(event(i, metadata));
        }
        // The last event takes what is missing, over as many entries as it needs.
        int missing = bytes - length(events);
        Map<String, String> filling = new HashMap<>(Map.of("f", ""));
        int empty = length(with(events, filling)) - length(events);
        int left = missing - empty;
        for (int i = 0; left > 4_096; i++) {
            filling.put("g" + i, "x".repeat(4_000));
            left = missing - (length(with(events, filling)) - length(events));
        }
        filling.put("f", "x".repeat(left));
        return state(with(events, filling));
    }

    private static List<WorkflowEvent> with(List<WorkflowEvent> events, Map<String, String> metadata) {
        List<WorkflowEvent> more = new ArrayList<>(events);
        more.add(event(events.size(), metadata));
        return more;
    }

    private static int length(List<WorkflowEvent> events) {
        // Short texts stand in for the long ones, so that a state over the limit can be measured as well.
        int total = 0;
        List<WorkflowEvent> bare = new ArrayList<>();
        for (WorkflowEvent event : events) {
            Map<String, String> names = new HashMap<>();
            for (Map.Entry<String, String> entry : event.metadata().entrySet()) {
                names.put(entry.getKey(), "");
                total += entry.getValue().length();
            }
            bare.add(new WorkflowEvent(
                    event.eventId(),
                    event.workflowId(),
                    event.fromStatus(),
                    event.toStatus(),
                    event.occurredAt(),
                    names));
        }
        return total + Snapshots.write(state(bare)).length();
    }

    private static WorkflowState state(List<WorkflowEvent> events) {
        return WorkflowState.builder("wf-1", "req-1").events(events).build();
    }

    private static WorkflowEvent event(int number, Map<String, String> metadata) {
        return new WorkflowEvent(
                "ev-" + number, "wf-1", WorkflowStatus.CREATED, WorkflowStatus.CREATED, Contract.AT, metadata);
    }
}
