package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException.Code;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.state.InvalidSnapshotException;
import io.holdfast.state.WorkflowEvent;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Snapshots that somebody else has written: a typed error that shows nothing of them. What text survives is here too. */
abstract class DamagedSnapshotsContract extends Contract {

    private static final String SECRET = "hunter2";

    DamagedSnapshotsContract(Environment environment) {
        super(environment);
    }

    /** A document, and what is said of it: the code and a detail. */
    record Damage(String what, String document, Code code, String detail, String value) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Damage> damages() {
        Code invalid = Code.INVALID_INPUT;
        Code version = Code.UNSUPPORTED_SCHEMA_VERSION;
        String ids = "\"workflow_id\":\"wf-1\",\"request_id\":\"req-1\",\"status\":\"created\"";
        String state = "{\"schema_version\":1,\"state\":{" + ids + "%s}}";
        return Stream.of(
                new Damage("no JSON", "{" + SECRET, invalid, "field", "snapshot"),
                new Damage("text after it", state.formatted("") + SECRET, invalid, "field", "snapshot"), // B-09
                new Damage("no object", "[\"" + SECRET + "\"]", invalid, "field", "snapshot"),
                new Damage("null", "null", invalid, "field", "snapshot"),
                new Damage("too deep", "[".repeat(501) + "]".repeat(501), invalid, "field", "snapshot"),
                new Damage(
                        "a key twice", // B-19
                        "{\"schema_version\":2,\"schema_version\":1,\"state\":{" + ids + "}}",
                        invalid,
                        "field",
                        "snapshot"),
                new Damage("a key twice inside", state.formatted("," + ids), invalid, "field", "snapshot"),
                new Damage("no version", "{\"state\":{" + ids + "}}", version, "schema_version", "<null>"), // B-10
                new Damage(
                        "version 2 and a forbidden name", // B-12
                        "{\"schema_version\":2,\"state\":{\"prompt\":\"" + SECRET + "\"}}",
                        version,
                        "schema_version",
                        "2"),
                new Damage(
                        "a secret for a version",
                        "{\"schema_version\":\"" + SECRET + "\",\"state\":{}}",
                        version,
                        "schema_version",
                        "<redacted>"),
                new Damage(
                        "forbidden names", // B-13
                        state.formatted(",\"sql\":\"" + SECRET + "\",\"prompt\":null"),
                        invalid,
                        "fields",
                        "prompt,sql"),
                new Damage("an unknown field", state.formatted(",\"" + SECRET + "\":1"), invalid, "field", "state"),
                new Damage(
                        "a forbidden name in an event", // B-16, H39
                        state.formatted(
                                ",\"events\":[{\"event_id\":\"e\",\"workflow_id\":\"wf-1\",\"from_status\":\"created\","
                                        + "\"to_status\":\"created\",\"occurred_at\":\"2026-01-01T00:00:00+00:00\","
                                        + "\"metadata\":{\"Password\":\"" + SECRET + "\"}}]"),
                        invalid,
                        "field",
                        "events[0].metadata"),
                new Damage(
                        "a text for a number",
                        state.formatted(",\"attempts\":\"" + SECRET + "\""),
                        invalid,
                        "field",
                        "attempts"),
                new Damage("too large a number", state.formatted(",\"attempts\":101"), invalid, "field", "attempts"),
                new Damage(
                        "another workflow", // H47
                        "{\"schema_version\":1,\"state\":{\"workflow_id\":\"" + SECRET
                                + "\",\"request_id\":\"req-1\"}}",
                        invalid,
                        "rule",
                        "agree with its row"));
    }

    @ParameterizedTest
    @MethodSource("damages")
    void aDamagedSnapshotIsATypedErrorThatShowsNoneOfIt(Damage damage) {
        created("wf-1");
        environment.changeRow("update {workflow} set snapshot = ? where scope = ?", damage.document(), scope.id());
        assertThatThrownBy(() -> workflows.find("wf-1")).isInstanceOfSatisfying(InvalidSnapshotException.class, e -> {
            assertThat(e.code()).isEqualTo(damage.code());
            assertThat(e.details()).containsEntry("workflow_id", "wf-1").containsEntry(damage.detail(), damage.value());
            assertThat(e.retryable()).isFalse();
            assertThat(e.getCause()).isNull();
            assertThat(e + " " + e.details()).doesNotContain(SECRET);
        });
        assertThatThrownBy(() -> workflows.findCheckpoint("wf-1", "req-1"))
                .isInstanceOf(InvalidSnapshotException.class);
        assertThat(workflows.list("", 10)).as("a list does not look at it").hasSize(1);
    }

    @Test
    void theDatabaseTakesNoSnapshotThatIsTooLong() {
        created("wf-1");
        assertThatThrownBy(() -> environment.changeRow(
                        "update {workflow} set snapshot = ? where scope = ?", "x".repeat((1 << 20) + 1), scope.id()))
                .hasRootCauseInstanceOf(java.sql.SQLException.class)
                .hasMessageContaining("workflow_snapshot_length");
    }

    @Test // B-16, H39: on write as well, in any case, before a state can exist
    void aForbiddenNameIsNotWritten() {
        assertThatThrownBy(() -> event(Map.of("API_KEY", SECRET)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageNotContaining(SECRET);
    }

    @Test // BL-51: lossless inside a snapshot; the text that merely shows the escape is another text
    void textThatTheDatabaseCouldNotKeepSurvivesInASnapshot() {
        Map<String, String> metadata =
                Map.of("nul", "a\0b", "escape", "\\u0000", "both", "\\\0", "k\0", "x", "smile", "\ud83d\ude00");
        created(WorkflowState.builder("wf-1", "req-1")
                .events(java.util.List.of(event(metadata)))
                .build());
        assertThat(stored("wf-1").state().events().get(0).metadata()).isEqualTo(metadata);
    }

    @Test // B-21, BL-51: refused before any SQL, never changed silently
    void aLoneSurrogateIsRefused() {
        assertThatThrownBy(() -> event(Map.of("a", "x\ud83dy"))).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> event(Map.of("\udead", "x"))).isInstanceOf(InvalidValueException.class);
    }

    private static WorkflowEvent event(Map<String, String> metadata) {
        return new WorkflowEvent("ev-1", "wf-1", WorkflowStatus.CREATED, WorkflowStatus.CREATED, AT, metadata);
    }
}
