package io.holdfast.state;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A move that is asked for: {@code Transition.to(RUNNING, "ev-2", now).withRetryCount(1)}. Says nothing about whether it
 * is legal; {@link WorkflowRules#transition} checks it, fields included.
 *
 * @param metadata of the event that records the move
 * @param retryCount replaces the state's, if given
 * @param repairCount replaces the state's, if given
 */
public record Transition(
        WorkflowStatus target,
        String eventId,
        Instant occurredAt,
        Map<String, String> metadata,
        OptionalInt retryCount,
        OptionalInt repairCount) {

    public Transition {
        Given.value("retryCount", retryCount);
        Given.value("repairCount", repairCount);
    }

    public static Transition to(WorkflowStatus target, String eventId, Instant occurredAt) {
        return new Transition(target, eventId, occurredAt, Map.of(), OptionalInt.empty(), OptionalInt.empty());
    }

    public Transition withMetadata(Map<String, String> entries) {
        return new Transition(target, eventId, occurredAt, entries, retryCount, repairCount);
    }

    public Transition withRetryCount(int retries) {
        return new Transition(target, eventId, occurredAt, metadata, OptionalInt.of(retries), repairCount);
    }

    public Transition withRepairCount(int repairs) {
        return new Transition(target, eventId, occurredAt, metadata, retryCount, OptionalInt.of(repairs));
    }

    /** Without the metadata, which is the application's. */
    @Override
    public String toString() {
        return "Transition[to " + target + "]";
    }
}
