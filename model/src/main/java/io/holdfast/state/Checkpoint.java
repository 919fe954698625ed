package io.holdfast.state;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Progress that is to be kept without a move: {@code Checkpoint.at("charge", "ev-3", now)}. What is given replaces what
 * the state has, it is not merged; what is not given stays. {@link WorkflowRules#checkpoint} checks it, fields included.
 *
 * @param stage the stage about to be entered
 * @param metadata of the event that records it; its entry {@code stage} is always the stage, so 31 others fit
 */
public record Checkpoint(
        String stage,
        String eventId,
        Instant occurredAt,
        Map<String, String> metadata,
        Optional<Set<String>> gateEvidenceFingerprints,
        Optional<Map<String, String>> compatibilityFingerprints,
        Optional<Boolean> cancellationRequested) {

    public Checkpoint {
        Given.value("gateEvidenceFingerprints", gateEvidenceFingerprints);
        Given.value("compatibilityFingerprints", compatibilityFingerprints);
        Given.value("cancellationRequested", cancellationRequested);
    }

    public static Checkpoint at(String stage, String eventId, Instant occurredAt) {
        return new Checkpoint(
                stage, eventId, occurredAt, Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    public Checkpoint withMetadata(Map<String, String> entries) {
        return new Checkpoint(
                stage,
                eventId,
                occurredAt,
                entries,
                gateEvidenceFingerprints,
                compatibilityFingerprints,
                cancellationRequested);
    }

    public Checkpoint withGateEvidenceFingerprints(Set<String> fingerprints) {
        return new Checkpoint(
                stage,
                eventId,
                occurredAt,
                metadata,
                Optional.of(Given.value("gateEvidenceFingerprints", fingerprints)),
                compatibilityFingerprints,
                cancellationRequested);
    }

    public Checkpoint withCompatibilityFingerprints(Map<String, String> fingerprints) {
        return new Checkpoint(
                stage,
                eventId,
                occurredAt,
                metadata,
                gateEvidenceFingerprints,
                Optional.of(Given.value("compatibilityFingerprints", fingerprints)),
                cancellationRequested);
    }

    public Checkpoint withCancellationRequested(boolean requested) {
        return new Checkpoint(
                stage,
                eventId,
                occurredAt,
                metadata,
                gateEvidenceFingerprints,
                compatibilityFingerprints,
                Optional.of(requested));
    }

    /** Without metadata and fingerprints. */
    @Override
    public String toString() {
        return "Checkpoint[at a stage, "
                + gateEvidenceFingerprints.map(Set::size).orElse(0) + " gate evidence]";
    }
}
