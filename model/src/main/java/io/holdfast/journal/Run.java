package io.holdfast.journal;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Optional;

/**
 * A run as it is stored.
 *
 * @param head where it stands
 * @param kind what runs
 * @param definitionDigest digest of the definition it was opened with
 * @param parentId the run that this one is a part of
 * @param origin where it comes from, as JSON
 * @param cursor where in its definition it stands
 * @param state its engine's state as JSON, byte for byte
 * @param stateVersion the state's format, as its engine numbers them
 * @param steps how many steps it has
 * @param effects how many effects it has
 * @param createdAt when it was opened, by the database's clock
 */
public record Run(
        RunHead head,
        RunKind kind,
        String definitionDigest,
        Optional<String> parentId,
        String origin,
        Optional<String> cursor,
        String state,
        int stateVersion,
        long steps,
        long effects,
        Instant createdAt) {

    public Run {
        Given.value("head", head);
        Given.value("kind", kind);
        Given.value("definitionDigest", definitionDigest);
        Given.value("parentId", parentId);
        Given.value("origin", origin);
        Given.value("cursor", cursor);
        Given.value("state", state);
        Given.value("createdAt", createdAt);
    }

    /** Where it stands; not its state. */
    @Override
    public String toString() {
        return head.toString();
    }
}
