package io.holdfast.state;

import io.holdfast.HoldfastException;
import io.holdfast.codec.Given;
import io.holdfast.codec.Unicode;
import io.holdfast.failure.InvalidValueException;
import java.util.HashMap;
import java.util.Map;

/**
 * A state as the text it is stored as, and back. Writing, reading and writing again gives the same bytes.
 *
 * <p>The text is {@link io.holdfast.codec.Canonical} JSON: an object with {@code schema_version} 1 and {@code state}, which
 * has all sixteen fields of the state's format, empty ones too, in snake case. Sets are sorted arrays; times are UTC with
 * the offset {@code +00:00} and six digits of fraction or none. This is format 1; its bytes never change.
 */
public final class Snapshots {

    /** The longest snapshot, in bytes of UTF-8: 1 MiB. */
    public static final int MAX_BYTES = 1 << 20;

    /** The format that is written, and the only one that is read. */
    public static final int SCHEMA_VERSION = 1;

    private Snapshots() {}

    /**
     * The snapshot of {@code state}.
     *
     * @throws InvalidValueException naming {@code snapshot} if it is longer than {@link #MAX_BYTES}
     */
    public static String write(WorkflowState state) {
        String snapshot = new SnapshotWriter(Given.value("state", state)).write();
        if (snapshot.length() > MAX_BYTES || Unicode.utf8Length(snapshot) > MAX_BYTES) {
            throw new InvalidValueException("snapshot", "be at most " + MAX_BYTES + " bytes of UTF-8");
        }
        return snapshot;
    }

    /**
     * The state that {@code snapshot} holds. Any JSON text of the format is read, canonical or not: blanks, another order
     * of keys, other offsets ({@code Z} too; a time without offset is UTC), finer times than microseconds (cut). Fields
     * that have a default may be missing.
     *
     * <p>Beyond that it is strict, and judges in this order: JSON of at most {@link #MAX_BYTES} without duplicate keys; an
     * object; the schema version, which is the integer 1; an object {@code state}; no {@link ForbiddenNames} among its
     * fields; no unknown field beside or inside it; types, without any coercion; limits, as of {@link WorkflowState}.
     *
     * @throws InvalidSnapshotException for the first that fails. It shows nothing of the content, so it may be logged
     */
    public static WorkflowState read(String snapshot) {
        return SnapshotReader.read(snapshot);
    }

    /**
     * The state of a stored workflow: its snapshot, which must agree with what its row says.
     *
     * @throws InvalidSnapshotException as {@link #read}, with the detail {@code workflow_id}; also if ids or status differ
     */
    public static WorkflowState readStored(String workflowId, String requestId, String status, String snapshot) {
        WorkflowState state;
        try {
            state = read(snapshot);
        } catch (InvalidSnapshotException e) {
            throw stored(workflowId, e.code(), e.details());
        }
        if (!state.workflowId().equals(workflowId)
                || !state.requestId().equals(requestId)
                || !state.status().wire().equals(status)) {
            throw stored(workflowId, HoldfastException.Code.INVALID_INPUT, Map.of("rule", "agree with its row"));
        }
        return state;
    }

    private static InvalidSnapshotException stored(
            String workflowId, HoldfastException.Code code, Map<String, String> details) {
        Map<String, String> named = new HashMap<>(details);
        named.put("workflow_id", workflowId);
        return new InvalidSnapshotException(code, "The snapshot of workflow " + workflowId + " is malformed", named);
    }
}
