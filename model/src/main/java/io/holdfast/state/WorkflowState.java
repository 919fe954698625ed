package io.holdfast.state;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Micros;
import io.holdfast.failure.InvalidValueException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that is known of a workflow at one moment, and what a snapshot holds. Immutable: what is passed in is copied, and
 * every limit is checked, so a state that exists can be stored. {@link #create} starts one, {@link WorkflowRules} moves
 * it, {@link #toBuilder} changes what the rules leave alone.
 *
 * <p>Any status can be constructed, with any history: a state may come from elsewhere. What its <em>next</em> state may be
 * is {@link WorkflowRules#history}. Revision, times of writing and the cancellation request that no write can lose belong
 * to the stored row, not to the state.
 *
 * @param workflowId 1 to 128 characters ({@link Identifier#ident})
 * @param requestId the request it answers; the same form; never changes
 * @param tenantScopeFingerprint of the tenant whose {@link Scope#ofFingerprint} it is kept in; empty in any other scope
 * @param attempts how often it began to run, 0 to 100
 * @param events its history, oldest first; each event names this workflow
 * @param evidenceFingerprints at most 1,024; iterates in order
 * @param currentStage the stage about to be entered, not the last one done ({@link Identifier#ident}, {@link Stages})
 * @param gateEvidenceFingerprints at most 1,024; iterates in order
 * @param compatibilityFingerprints what it was built against: at most 16 names ({@link Identifier#ident}) with a
 *     fingerprint each; iterates in order
 * @param cancellationRequested as the runner last saw it
 * @param deadlineAt when it should be over; cut to microseconds; kept for the runner
 * @param retryCount 0 to 100
 * @param repairCount 0 to 100
 */
public record WorkflowState(
        String workflowId,
        String requestId,
        Optional<String> tenantScopeFingerprint,
        WorkflowStatus status,
        int attempts,
        WorkflowBudget budget,
        List<WorkflowEvent> events,
        Set<String> evidenceFingerprints,
        Optional<String> currentStage,
        Set<String> gateEvidenceFingerprints,
        Map<String, String> compatibilityFingerprints,
        boolean cancellationRequested,
        Optional<Instant> deadlineAt,
        int retryCount,
        int repairCount) {

    /** The format of the state, written with every snapshot; there is no other yet. */
    public static final int VERSION = 1;

    /** The highest number of attempts, retries or repairs. */
    public static final int MAX_COUNT = 100;

    /** The most fingerprints in each of the two evidence sets. */
    public static final int MAX_EVIDENCE = 1_024;

    /** The most compatibility fingerprints. */
    public static final int MAX_COMPATIBILITY = 16;

    public WorkflowState {
        Identifier.ident("workflowId", workflowId);
        Identifier.ident("requestId", requestId);
        Given.value("tenantScopeFingerprint", tenantScopeFingerprint)
                .ifPresent(fingerprint -> Identifier.fingerprint("tenantScopeFingerprint", fingerprint));
        Given.value("status", status);
        WorkflowBudget.within("attempts", attempts, 0, MAX_COUNT);
        Given.value("budget", budget);
        events = ownEvents(workflowId, events);
        evidenceFingerprints = FingerprintSet.checked("evidenceFingerprints", evidenceFingerprints);
        Given.value("currentStage", currentStage).ifPresent(stage -> Identifier.ident("currentStage", stage));
        gateEvidenceFingerprints = FingerprintSet.checked("gateEvidenceFingerprints", gateEvidenceFingerprints);
        compatibilityFingerprints = compatibility(compatibilityFingerprints);
        deadlineAt = Given.value("deadlineAt", deadlineAt).map(at -> Micros.of("deadlineAt", at));
        WorkflowBudget.within("retryCount", retryCount, 0, MAX_COUNT);
        WorkflowBudget.within("repairCount", repairCount, 0, MAX_COUNT);
    }

    /** A workflow that has just been created: no tenant fingerprint, the default budget, everything else empty. */
    public static WorkflowState create(String workflowId, String requestId) {
        return builder(workflowId, requestId).build();
    }

    /** A workflow that has just been created, carrying the tenant fingerprint that {@code scope} asks for. */
    public static WorkflowState create(Scope scope, String workflowId, String requestId) {
        return builder(workflowId, requestId).scope(scope).build();
    }

    /** Starts from a workflow that has just been created. */
    public static WorkflowStateBuilder builder(String workflowId, String requestId) {
        return new WorkflowStateBuilder(workflowId, requestId);
    }

    /** Starts from this state; workflow and request stay as they are. */
    public WorkflowStateBuilder toBuilder() {
        return new WorkflowStateBuilder(this);
    }

    /** Without metadata and fingerprints: ids, status and numbers. */
    @Override
    public String toString() {
        return "WorkflowState[" + workflowId + " for " + requestId + ", " + status.wire() + ", attempts=" + attempts
                + ", events=" + events.size()
                + currentStage.map(stage -> ", stage=" + stage).orElse("") + "]";
    }

    private static List<WorkflowEvent> ownEvents(String workflowId, List<WorkflowEvent> events) {
        Given.value("events", events).forEach(event -> Given.value("events", event));
        List<WorkflowEvent> copy = List.copyOf(events);
        for (WorkflowEvent event : copy) {
            if (!event.workflowId().equals(workflowId)) {
                throw new InvalidValueException("events", "be events of this workflow");
            }
        }
        return copy;
    }

    private static Map<String, String> compatibility(Map<String, String> fingerprints) {
        SortedMap<String, String> copy = new TreeMap<>(Canonical.KEY_ORDER);
        Given.value("compatibilityFingerprints", fingerprints)
                .forEach((name, fingerprint) -> copy.put(
                        Identifier.ident("compatibilityFingerprints", name),
                        Identifier.fingerprint("compatibilityFingerprints", fingerprint)));
        if (copy.size() > MAX_COMPATIBILITY) {
            throw new InvalidValueException("compatibilityFingerprints", "have at most 16 entries");
        }
        return copy.isEmpty() ? Map.of() : Collections.unmodifiableSortedMap(copy);
    }
}
