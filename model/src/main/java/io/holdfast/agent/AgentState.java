package io.holdfast.agent;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.InvalidValueException;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent stands, as its engine needs it to go on.
 *
 * @param phase what it does next
 * @param interruption the engine's own document, as JSON text of an object whose {@code run_id} is the run's; kept byte for
 *     byte. Opaque here but for that
 * @param finalText what the agent said last
 * @param outputAttempts how often it has tried to give its output; 0 or more
 * @param startedAt when it began, in seconds since 1970 by its engine's clock; 0: not known
 */
public record AgentState(
        AgentPhase phase, String interruption, Optional<String> finalText, long outputAttempts, double startedAt) {

    /** The longest checkpoint, in bytes of UTF-8. */
    public static final int MAX_BYTES = 8 << 20;

    private static final long VERSION = 1;

    public AgentState {
        Given.value("phase", phase);
        JsonText.read("interruption", interruption, MAX_BYTES);
        Given.value("finalText", finalText);
        if (outputAttempts < 0) {
            throw new InvalidValueException("outputAttempts", "be 0 or more");
        }
        if (!(startedAt >= 0 && startedAt < Double.POSITIVE_INFINITY)) {
            throw new InvalidValueException("startedAt", "be 0 or more, and finite");
        }
    }

    /** One with nothing but its phase and its engine's document. */
    public static AgentState of(AgentPhase phase, String interruption) {
        return new AgentState(phase, interruption, Optional.empty(), 0, 0);
    }

    /** Where recovery finds a run in this state. */
    public AgentStatus status() {
        return AgentStatus.of(phase);
    }

    /**
     * The canonical JSON of the checkpoint of a run.
     *
     * @throws InvalidValueException if the interruption is another run's, or the whole is longer than {@link #MAX_BYTES}
     */
    public String write(String run) {
        if (!Given.value("run", run).equals(runOf("interruption", interruption))) {
            throw new InvalidValueException("interruption", "be a JSON object whose run_id is the run's");
        }
        Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
        envelope.put("schema_version", VERSION);
        envelope.put("phase", phase.wire());
        envelope.put("interruption", interruption);
        finalText.ifPresent(text -> envelope.put("final_text", text));
        if (outputAttempts > 0) {
            envelope.put("output_attempts", outputAttempts);
        }
        if (startedAt > 0) {
            envelope.put("agent_started_at", startedAt);
        }
        return Canonical.write("checkpoint", envelope, MAX_BYTES);
    }

    /**
     * Reads what {@link #write} has written, this release's or another's. A counter that is missing or makes no sense is 0.
     *
     * @throws InvalidValueException naming the part of it that is not as it has to be: not an object, another version, no such
     *     phase, no interruption, or that of another run
     */
    public static AgentState read(String run, String json) {
        Given.value("run", run);
        if (!(JsonText.read("checkpoint", json, MAX_BYTES) instanceof Map<?, ?> envelope)) {
            throw new InvalidValueException("checkpoint", "be a JSON object");
        }
        if (!Long.valueOf(VERSION).equals(envelope.get("schema_version"))) {
            throw new InvalidValueException("checkpoint.schema_version", "be " + VERSION);
        }
        AgentPhase phase = AgentPhase.of(text("checkpoint.phase", envelope.get("phase")));
        String interruption = text("checkpoint.interruption", envelope.get("interruption"));
        if (!run.equals(runOf("checkpoint.interruption", interruption))) {
            throw new InvalidValueException("checkpoint.interruption", "be a JSON object whose run_id is the run's");
        }
        Object last = envelope.get("final_text");
        return new AgentState(
                phase,
                interruption,
                last == null ? Optional.empty() : Optional.of(text("checkpoint.final_text", last)),
                envelope.get("output_attempts") instanceof Long attempts && attempts > 0 ? attempts : 0,
                seconds(envelope.get("agent_started_at")));
    }

    private static @Nullable Object runOf(String field, String interruption) {
        return JsonText.read(field, interruption, MAX_BYTES) instanceof Map<?, ?> document
                ? document.get("run_id")
                : null;
    }

    private static String text(String field, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new InvalidValueException(field, "be a text");
    }

    private static double seconds(@Nullable Object value) {
        double seconds = value instanceof Double || value instanceof Long || value instanceof BigInteger
                ? ((Number) value).doubleValue()
                : 0;
        return seconds > 0 && seconds < Double.POSITIVE_INFINITY ? seconds : 0;
    }

    /** The phase, and nothing of what was said. */
    @Override
    public String toString() {
        return "AgentState[phase=" + phase + ", outputAttempts=" + outputAttempts + "]";
    }
}
