package io.holdfast.state;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Collects what a {@link WorkflowState} is made of; {@link #build} checks it. Not thread-safe. */
public final class WorkflowStateBuilder {

    private final String workflowId;
    private final String requestId;
    private Optional<String> tenantScopeFingerprint = Optional.empty();
    private WorkflowStatus status = WorkflowStatus.CREATED;
    private int attempts;
    private WorkflowBudget budget = WorkflowBudget.DEFAULT;
    private List<WorkflowEvent> events = List.of();
    private Set<String> evidenceFingerprints = Set.of();
    private Optional<String> currentStage = Optional.empty();
    private Set<String> gateEvidenceFingerprints = Set.of();
    private Map<String, String> compatibilityFingerprints = Map.of();
    private boolean cancellationRequested;
    private Optional<Instant> deadlineAt = Optional.empty();
    private int retryCount;
    private int repairCount;

    WorkflowStateBuilder(String workflowId, String requestId) {
        this.workflowId = workflowId;
        this.requestId = requestId;
    }

    WorkflowStateBuilder(WorkflowState state) {
        this(state.workflowId(), state.requestId());
        tenantScopeFingerprint = state.tenantScopeFingerprint();
        status = state.status();
        attempts = state.attempts();
        budget = state.budget();
        events = state.events();
        evidenceFingerprints = state.evidenceFingerprints();
        currentStage = state.currentStage();
        gateEvidenceFingerprints = state.gateEvidenceFingerprints();
        compatibilityFingerprints = state.compatibilityFingerprints();
        cancellationRequested = state.cancellationRequested();
        deadlineAt = state.deadlineAt();
        retryCount = state.retryCount();
        repairCount = state.repairCount();
    }

    /** Takes the tenant fingerprint that a state in {@code scope} must carry, or none if it must carry none. */
    public WorkflowStateBuilder scope(Scope scope) {
        tenantScopeFingerprint = Given.value("scope", scope).fingerprint();
        return this;
    }

    public WorkflowStateBuilder tenantScopeFingerprint(String fingerprint) {
        tenantScopeFingerprint = Optional.of(Given.value("tenantScopeFingerprint", fingerprint));
        return this;
    }

    public WorkflowStateBuilder status(WorkflowStatus value) {
        status = value;
        return this;
    }

    public WorkflowStateBuilder attempts(int value) {
        attempts = value;
        return this;
    }

    public WorkflowStateBuilder budget(WorkflowBudget value) {
        budget = value;
        return this;
    }

    public WorkflowStateBuilder events(List<WorkflowEvent> value) {
        events = value;
        return this;
    }

    public WorkflowStateBuilder evidenceFingerprints(Set<String> value) {
        evidenceFingerprints = value;
        return this;
    }

    public WorkflowStateBuilder currentStage(String stage) {
        currentStage = Optional.of(Given.value("currentStage", stage));
        return this;
    }

    public WorkflowStateBuilder gateEvidenceFingerprints(Set<String> value) {
        gateEvidenceFingerprints = value;
        return this;
    }

    public WorkflowStateBuilder compatibilityFingerprints(Map<String, String> value) {
        compatibilityFingerprints = value;
        return this;
    }

    public WorkflowStateBuilder cancellationRequested(boolean value) {
        cancellationRequested = value;
        return this;
    }

    public WorkflowStateBuilder deadlineAt(Instant time) {
        deadlineAt = Optional.of(Given.value("deadlineAt", time));
        return this;
    }

    public WorkflowStateBuilder retryCount(int value) {
        retryCount = value;
        return this;
    }

    public WorkflowStateBuilder repairCount(int value) {
        repairCount = value;
        return this;
    }

    /**
     * The state.
     *
     * @throws io.holdfast.failure.InvalidValueException naming the component that breaks its limit
     */
    public WorkflowState build() {
        return new WorkflowState(
                workflowId,
                requestId,
                tenantScopeFingerprint,
                status,
                attempts,
                budget,
                events,
                evidenceFingerprints,
                currentStage,
                gateEvidenceFingerprints,
                compatibilityFingerprints,
                cancellationRequested,
                deadlineAt,
                retryCount,
                repairCount);
    }
}
