package io.holdfast.bench;

import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The states that are written, made once: what a state is made of is the application's work, whoever stores it. */
final class States {

    static final String REQUEST = "request-1";

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Map<String, WorkflowState> FIRST = new ConcurrentHashMap<>();
    private static final Map<String, WorkflowState> SECOND = new ConcurrentHashMap<>();

    private States() {}

    /** A workflow under way, four events old: some 1.5 kB as a snapshot. */
    static WorkflowState first(String id) {
        return FIRST.computeIfAbsent(id, States::made);
    }

    /** Another stage of it: as long, so that a row does not grow with the number of updates. */
    static WorkflowState second(String id) {
        return SECOND.computeIfAbsent(
                id, i -> first(i).toBuilder().currentStage("stage-new").build());
    }

    /** Another stage, as long; the events stay. */
    static WorkflowState other(WorkflowState state) {
        String stage = "stage-two".equals(state.currentStage().orElse("")) ? "stage-new" : "stage-two";
        return state.toBuilder().currentStage(stage).build();
    }

    static WorkflowState ended(WorkflowState state) {
        return WorkflowRules.transition(state, WorkflowStatus.SUCCEEDED, "event-last", AT);
    }

    static WorkflowState made(String id) {
        WorkflowState created = WorkflowState.builder(id, REQUEST)
                .evidenceFingerprints(Set.of("sha256:" + "a".repeat(64), "sha256:" + "b".repeat(64)))
                .build();
        WorkflowState queued = WorkflowRules.transition(created, WorkflowStatus.QUEUED, "event-1", AT);
        WorkflowState running = WorkflowRules.transition(queued, WorkflowStatus.RUNNING, "event-2", AT);
        WorkflowState one = WorkflowRules.checkpoint(running, "stage-one", "event-3", AT);
        return WorkflowRules.checkpoint(one, "stage-two", "event-4", AT);
    }
}
