package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The document of an agent's checkpoint. A18. */
class AgentStateTest {

    private static final String INTERRUPTION = "{\"run_id\":\"run-1\"}";

    private static String envelope(String more) {
        return "{\"schema_version\":1,\"phase\":\"paused\",\"interruption\":\"{\\\"run_id\\\":\\\"run-1\\\"}\"" + more
                + "}";
    }

    private static void refused(String field, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(InvalidValueException.class, e -> {
            assertThat(e.field()).isEqualTo(field);
            assertThat(e.getMessage()).doesNotContain("s3cret");
        });
    }

    @Test
    void itIsWrittenInItsCanonicalForm() {
        assertThat(AgentState.of(AgentPhase.PAUSED, INTERRUPTION).write("run-1"))
                .isEqualTo(
                        "{\"interruption\":\"{\\\"run_id\\\":\\\"run-1\\\"}\",\"phase\":\"paused\",\"schema_version\":1}");
        assertThat(new AgentState(AgentPhase.COMPLETED, INTERRUPTION, Optional.of("\u00e9"), 2, 1.5).write("run-1"))
                .isEqualTo("{\"agent_started_at\":1.5,\"final_text\":\"\u00e9\","
                        + "\"interruption\":\"{\\\"run_id\\\":\\\"run-1\\\"}\",\"output_attempts\":2,\"phase\":\"completed\","
                        + "\"schema_version\":1}");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsReadAgain(AgentPhase phase) {
        AgentState state = new AgentState(phase, "{ \"run_id\":\"run-1\", \"n\": 1.0 }", Optional.of(""), 7, 0.1);
        assertThat(AgentState.read("run-1", state.write("run-1"))).isEqualTo(state);
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "-1", "\"3\"", "null", "1.5", "{}", "123456789012345678901234567890"})
    void aCounterThatMakesNoSenseIsZero(String value) {
        AgentState state = AgentState.read("run-1", envelope(",\"output_attempts\":" + value));
        assertThat(state.outputAttempts()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "-1", "\"3\"", "null", "-0.5", "{}"})
    void aTimeThatMakesNoSenseIsZero(String value) {
        assertThat(AgentState.read("run-1", envelope(",\"agent_started_at\":" + value))
                        .startedAt())
                .isZero();
    }

    @Test
    void wholeSecondsAreSecondsAndWhatIsNotKnownIsPassedOver() {
        AgentState state = AgentState.read("run-1", envelope(",\"agent_started_at\":17,\"later\":\"s3cret\""));
        assertThat(state.startedAt()).isEqualTo(17);
        assertThat(state.finalText()).isEmpty();
    }

    @Test
    void whatIsNoCheckpointIsRefusedByItsPart() {
        refused("checkpoint", () -> AgentState.read("run-1", "[\"s3cret\"]"));
        refused("checkpoint", () -> AgentState.read("run-1", "{\"s3cret"));
        refused("checkpoint.schema_version", () -> AgentState.read("run-1", "{\"phase\":\"s3cret\"}"));
        refused(
                "checkpoint.schema_version",
                () -> AgentState.read("run-1", envelope("").replace("version\":1", "version\":2")));
        refused(
                "checkpoint.schema_version",
                () -> AgentState.read("run-1", envelope("").replace("version\":1", "version\":1.0")));
        refused("phase", () -> AgentState.read("run-1", envelope("").replace("paused", "zzz")));
        refused("checkpoint.phase", () -> AgentState.read("run-1", envelope("").replace("\"paused\"", "7")));
        refused("checkpoint.interruption", () -> AgentState.read("run-2", envelope("")));
        refused("checkpoint.final_text", () -> AgentState.read("run-1", envelope(",\"final_text\":[]")));
    }

    @Test
    void argumentsHaveTheirLimits() {
        refused("interruption", () -> AgentState.of(AgentPhase.PAUSED, "{s3cret"));
        refused(
                "interruption",
                () -> AgentState.of(AgentPhase.PAUSED, INTERRUPTION).write("run-2"));
        refused("interruption", () -> AgentState.of(AgentPhase.PAUSED, "[]").write("run-1"));
        refused("outputAttempts", () -> new AgentState(AgentPhase.PAUSED, INTERRUPTION, Optional.empty(), -1, 0));
        for (double startedAt : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            refused("startedAt", () -> new AgentState(AgentPhase.PAUSED, INTERRUPTION, Optional.empty(), 0, startedAt));
        }
        refused(
                "checkpoint",
                () -> new AgentState(AgentPhase.PAUSED, INTERRUPTION, Optional.of("\ud83d"), 0, 0).write("run-1"));
    }

    @Test
    void nothingOfWhatWasSaidIsToldByAccident() {
        AgentState state = new AgentState(AgentPhase.PAUSED, "{\"x\":\"s3cret\"}", Optional.of("s3cret"), 0, 0);
        assertThat(state.toString()).contains("PAUSED").doesNotContain("s3cret");
    }

    @Test
    void phasesAndStatusesAreKnownByTheirStoredNames() {
        for (AgentPhase phase : AgentPhase.values()) {
            assertThat(AgentPhase.of(phase.wire())).isEqualTo(phase);
            assertThat(AgentStatus.of(phase).isOver()).isFalse();
        }
        for (AgentStatus status : AgentStatus.values()) {
            assertThat(AgentStatus.of(status.wire())).isEqualTo(status);
        }
        assertThat(AgentPhase.TOOLS_PENDING.isAtWork()).isTrue();
        assertThat(AgentPhase.COMPLETED.isAtWork()).isFalse();
        refused("phase", () -> AgentPhase.of("PAUSED"));
        refused("status", () -> AgentStatus.of("zzz"));
    }
}
