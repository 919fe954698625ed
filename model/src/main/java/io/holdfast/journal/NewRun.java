package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.LeaseKey;
import java.util.Map;
import java.util.Optional;

/**
 * A run that is to be opened.
 *
 * @param id 1 to 1,024 bytes of UTF-8 without control characters; a part of a run begins with that one's id and {@code /}
 * @param kind what runs
 * @param definitionDigest digest of the definition it runs by, which never changes: 1 to 128 bytes of UTF-8 without control
 *     characters
 * @param state the engine's state, a JSON object of at most {@link JournalCommit#MAX_STATE_BYTES}
 * @param stateVersion the state's format, as the engine numbers them, from 1
 * @param parentId the run that this one is a part of
 * @param origin where it comes from: a JSON object of at most 64 KiB
 */
public record NewRun(
        String id,
        RunKind kind,
        String definitionDigest,
        String state,
        int stateVersion,
        Optional<String> parentId,
        String origin) {

    /** The origin where nobody says another. */
    public static final String DEFAULT_ORIGIN = "{\"source\":\"sdk\"}";

    private static final int MAX_ORIGIN_BYTES = 64 << 10;

    public NewRun {
        Identifier.text("runId", id, 1, LeaseKey.MAX_ID_BYTES);
        Given.value("kind", kind);
        Identifier.text("definitionDigest", definitionDigest, 1, 128);
        JournalCommit.requireState(Given.value("state", state));
        if (stateVersion < 1) {
            throw new InvalidValueException("stateVersion", "be 1 or more");
        }
        Given.value("parentId", parentId)
                .ifPresent(parent -> Identifier.text("parentId", parent, 1, LeaseKey.MAX_ID_BYTES));
        if (!(JsonText.read("origin", origin, MAX_ORIGIN_BYTES) instanceof Map)) {
            throw new InvalidValueException("origin", "be a JSON object");
        }
    }

    /** One that nobody else is part of, with a state of format 1. */
    public static NewRun of(String id, RunKind kind, String definitionDigest, String state) {
        return new NewRun(id, kind, definitionDigest, state, 1, Optional.empty(), DEFAULT_ORIGIN);
    }

    public NewRun withStateVersion(int version) {
        return new NewRun(id, kind, definitionDigest, state, version, parentId, origin);
    }

    public NewRun withParent(String parent) {
        return new NewRun(
                id, kind, definitionDigest, state, stateVersion, Optional.of(Given.value("parentId", parent)), origin);
    }

    public NewRun withOrigin(String json) {
        return new NewRun(id, kind, definitionDigest, state, stateVersion, parentId, json);
    }

    /** Which run, and of what; not its state. */
    @Override
    public String toString() {
        return kind + " " + id;
    }
}
