package io.holdfast.state;

import io.holdfast.codec.Canonical;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Writes one state straight into one buffer, the keys below in the order in which they sort. Ids, fingerprints and
 * statuses cannot hold what needs an escape, so only metadata is looked through for it.
 */
final class SnapshotWriter {

    private static final int BYTES_OF_STATE = 1_024;
    private static final int BYTES_OF_EVENT = 224;
    private static final int BYTES_OF_FINGERPRINT = 74;

    private final WorkflowState state;
    private final StringBuilder out;

    SnapshotWriter(WorkflowState state) {
        this.state = state;
        int fingerprints = state.evidenceFingerprints().size()
                + state.gateEvidenceFingerprints().size();
        this.out = new StringBuilder(
                BYTES_OF_STATE + BYTES_OF_EVENT * state.events().size() + BYTES_OF_FINGERPRINT * fingerprints);
    }

    String write() {
        out.append("{\"schema_version\":").append(Snapshots.SCHEMA_VERSION);
        out.append(",\"state\":{\"attempts\":").append(state.attempts());
        budget(state.budget());
        out.append(",\"cancellation_requested\":").append(state.cancellationRequested());
        out.append(",\"compatibility_fingerprints\":");
        map(state.compatibilityFingerprints());
        out.append(",\"current_stage\":");
        plain(state.currentStage());
        out.append(",\"deadline_at\":");
        state.deadlineAt().ifPresentOrElse(this::time, () -> out.append("null"));
        out.append(",\"events\":[");
        events();
        out.append("],\"evidence_fingerprints\":");
        array(state.evidenceFingerprints());
        out.append(",\"gate_evidence_fingerprints\":");
        array(state.gateEvidenceFingerprints());
        out.append(",\"repair_count\":").append(state.repairCount());
        out.append(",\"request_id\":");
        plain(state.requestId());
        out.append(",\"retry_count\":").append(state.retryCount());
        out.append(",\"status\":");
        plain(state.status().wire());
        out.append(",\"tenant_scope_fingerprint\":");
        plain(state.tenantScopeFingerprint());
        out.append(",\"version\":").append(WorkflowState.VERSION);
        out.append(",\"workflow_id\":");
        plain(state.workflowId());
        return out.append("}}").toString();
    }

    private void budget(WorkflowBudget budget) {
        out.append(",\"budget\":{\"max_attempts\":").append(budget.maxAttempts());
        out.append(",\"max_duration_seconds\":");
        Canonical.number(out, budget.maxDurationSeconds());
        out.append(",\"max_events\":").append(budget.maxEvents());
        out.append(",\"max_repairs\":").append(budget.maxRepairs());
        out.append(",\"max_retries\":").append(budget.maxRetries()).append('}');
    }

    private void events() {
        String separator = "";
        for (WorkflowEvent event : state.events()) {
            out.append(separator).append("{\"event_id\":");
            plain(event.eventId());
            out.append(",\"from_status\":");
            plain(event.fromStatus().wire());
            out.append(",\"metadata\":");
            map(event.metadata());
            out.append(",\"occurred_at\":");
            time(event.occurredAt());
            out.append(",\"to_status\":");
            plain(event.toStatus().wire());
            out.append(",\"workflow_id\":");
            plain(event.workflowId());
            out.append('}');
            separator = ",";
        }
    }

    /** A map that iterates in canonical order, as all maps of a state do. */
    private void map(Map<String, String> entries) {
        out.append('{');
        String separator = "";
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            out.append(separator);
            Canonical.quote(out, entry.getKey());
            out.append(':');
            Canonical.quote(out, entry.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private void array(Collection<String> sorted) {
        out.append('[');
        String separator = "";
        for (String element : sorted) {
            out.append(separator);
            plain(element);
            separator = ",";
        }
        out.append(']');
    }

    private void plain(Optional<String> text) {
        text.ifPresentOrElse(this::plain, () -> out.append("null"));
    }

    private void plain(String text) {
        out.append('"').append(text).append('"');
    }

    private void time(Instant instant) {
        out.append('"');
        SnapshotTime.write(out, instant);
        out.append('"');
    }
}
