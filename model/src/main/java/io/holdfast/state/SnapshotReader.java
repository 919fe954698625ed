package io.holdfast.state;

import io.holdfast.HoldfastException.Code;
import io.holdfast.codec.Given;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.InvalidValueException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a snapshot. What breaks a rule inside is found as an invalid value, and told as an invalid snapshot. */
final class SnapshotReader {

    private static final Set<String> ENVELOPE = Set.of("schema_version", "state");
    private static final Set<String> STATE = Set.of(
            "attempts",
            "budget",
            "cancellation_requested",
            "compatibility_fingerprints",
            "current_stage",
            "deadline_at",
            "events",
            "evidence_fingerprints",
            "gate_evidence_fingerprints",
            "repair_count",
            "request_id",
            "retry_count",
            "status",
            "tenant_scope_fingerprint",
            "version",
            "workflow_id");
    private static final Set<String> BUDGET =
            Set.of("max_attempts", "max_duration_seconds", "max_events", "max_repairs", "max_retries");
    private static final Set<String> EVENT =
            Set.of("event_id", "from_status", "metadata", "occurred_at", "to_status", "workflow_id");

    // What a version looks like; anything else in its place may be content that must not be shown.
    private static final Pattern VERSION = Pattern.compile("true|false|[0-9.+-]{1,32}");
    private static final Pattern HUMP = Pattern.compile("(?=[A-Z])");

    private SnapshotReader() {}

    static WorkflowState read(String snapshot) {
        try {
            return state(envelope(snapshot));
        } catch (InvalidValueException e) {
            // The records call their components as Java does; in the document they are in snake case.
            String field = HUMP.matcher(e.field()).replaceAll("_").toLowerCase(Locale.ROOT);
            String rule = e.details().getOrDefault("rule", "");
            throw new InvalidSnapshotException(
                    Code.INVALID_INPUT,
                    "malformed snapshot: " + field + " must " + rule,
                    Map.of("field", field, "rule", rule));
        }
    }

    private static SnapshotFields envelope(String snapshot) {
        Given.value("snapshot", snapshot);
        SnapshotFields envelope =
                new SnapshotFields("snapshot", JsonText.read("snapshot", snapshot, Snapshots.MAX_BYTES));
        Object version = envelope.get("schema_version");
        if (!Long.valueOf(Snapshots.SCHEMA_VERSION).equals(version)) {
            throw unsupported(version);
        }
        SnapshotFields state = envelope.object("state");
        refuseForbidden(state.names());
        envelope.refuseOthersThan(ENVELOPE);
        return state;
    }

    private static InvalidSnapshotException unsupported(@Nullable Object version) {
        String text = String.valueOf(version);
        String shown = version == null ? "<null>" : VERSION.matcher(text).matches() ? text : "<redacted>";
        return new InvalidSnapshotException(
                Code.UNSUPPORTED_SCHEMA_VERSION,
                "snapshot has another schema version than " + Snapshots.SCHEMA_VERSION,
                Map.of("schema_version", shown));
    }

    private static void refuseForbidden(Set<String> names) {
        Set<String> offenders = new TreeSet<>(names);
        offenders.retainAll(ForbiddenNames.ALL);
        if (!offenders.isEmpty()) {
            String fields = String.join(",", offenders);
            throw new InvalidSnapshotException(
                    Code.INVALID_INPUT, "malformed snapshot: forbidden fields " + fields, Map.of("fields", fields));
        }
    }

    private static WorkflowState state(SnapshotFields state) {
        state.refuseOthersThan(STATE);
        if (state.integer("version", WorkflowState.VERSION) != WorkflowState.VERSION) {
            throw new InvalidValueException("version", "be " + WorkflowState.VERSION);
        }
        return new WorkflowState(
                state.text("workflow_id"),
                state.text("request_id"),
                state.optionalText("tenant_scope_fingerprint"),
                state.has("status") ? state.status("status") : WorkflowStatus.CREATED,
                state.integer("attempts", 0),
                state.has("budget") ? budget(state.object("budget")) : WorkflowBudget.DEFAULT,
                events(state),
                new HashSet<>(state.texts("evidence_fingerprints")),
                state.optionalText("current_stage"),
                new HashSet<>(state.texts("gate_evidence_fingerprints")),
                state.textMap("compatibility_fingerprints"),
                state.flag("cancellation_requested"),
                state.optionalTime("deadline_at"),
                state.integer("retry_count", 0),
                state.integer("repair_count", 0));
    }

    private static WorkflowBudget budget(SnapshotFields budget) {
        budget.refuseOthersThan(BUDGET);
        WorkflowBudget missing = WorkflowBudget.DEFAULT;
        return new WorkflowBudget(
                budget.integer("max_attempts", missing.maxAttempts()),
                budget.integer("max_events", missing.maxEvents()),
                budget.integer("max_retries", missing.maxRetries()),
                budget.integer("max_repairs", missing.maxRepairs()),
                budget.number("max_duration_seconds", missing.maxDurationSeconds()));
    }

    private static List<WorkflowEvent> events(SnapshotFields state) {
        List<?> documents = state.list("events");
        List<WorkflowEvent> events = new ArrayList<>(documents.size());
        for (Object document : documents) {
            try {
                events.add(event(new SnapshotFields("event", document)));
            } catch (InvalidValueException e) {
                String where = "events[" + events.size() + "]." + e.field();
                throw new InvalidValueException(where, e.details().getOrDefault("rule", ""));
            }
        }
        return events;
    }

    private static WorkflowEvent event(SnapshotFields event) {
        event.refuseOthersThan(EVENT);
        return new WorkflowEvent(
                event.text("event_id"),
                event.text("workflow_id"),
                event.status("from_status"),
                event.status("to_status"),
                event.time("occurred_at"),
                event.textMap("metadata"));
    }
}
