package io.holdfast.state;

import static io.holdfast.state.WorkflowStateTest.fingerprint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.codec.Fingerprint;
import io.holdfast.failure.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotsTest {

    private static final String DEFAULT =
            "{\"schema_version\":1,\"state\":{\"attempts\":0,\"budget\":{\"max_attempts\":3,"
                    + "\"max_duration_seconds\":300.0,\"max_events\":100,\"max_repairs\":1,\"max_retries\":3},"
                    + "\"cancellation_requested\":false,\"compatibility_fingerprints\":{},\"current_stage\":null,"
                    + "\"deadline_at\":null,\"events\":[],\"evidence_fingerprints\":[],\"gate_evidence_fingerprints\":[],"
                    + "\"repair_count\":0,\"request_id\":\"req-1\",\"retry_count\":0,\"status\":\"created\","
                    + "\"tenant_scope_fingerprint\":null,\"version\":1,\"workflow_id\":\"wf-1\"}}";

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    // B-01
    @Test
    void aCreatedWorkflowIsWrittenAsTheFirstGoldenText() {
        String text = Snapshots.write(WorkflowState.create("wf-1", "req-1"));
        assertThat(text).isEqualTo(DEFAULT).hasSize(461);
        assertThat(Fingerprint.ofText(text))
                .isEqualTo("sha256:94ea1aabaa71410a8c8ce7fad08b8520558d307f7420c07ef1e7e2f219a6834a");
        assertThat(Snapshots.read(text)).isEqualTo(WorkflowState.create("wf-1", "req-1"));
    }

    // B-02
    @Test
    void aWorkflowWithEverythingIsWrittenAsTheSecondGoldenText() {
        String text = Snapshots.write(rich());
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(1_321);
        assertThat(Fingerprint.ofText(text))
                .isEqualTo("sha256:e4332accec1e9a332f8f1dd283d800ad5a466443add8b8956e2efb9c079ed052");
        assertThat(Snapshots.read(text)).isEqualTo(rich());
        assertThat(Snapshots.write(Snapshots.read(text))).isEqualTo(text);
    }

    // B-03
    @Test
    void metadataIsWrittenInTheOrderOfItsCodePoints() {
        Map<String, String> metadata = Map.of("\uD83D\uDE00", "5", "\uFFEE", "4", "\u00E9", "3", "a", "2", "Z", "1");
        assertThat(Snapshots.write(with(metadata)))
                .contains("{\"Z\":\"1\",\"a\":\"2\",\"\u00E9\":\"3\",\"\uFFEE\":\"4\",\"\uD83D\uDE00\":\"5\"}");
    }

    // B-05
    @ParameterizedTest
    @CsvSource({"300,300.0", "0.0001,0.0001", "0.00005,5e-05", "86400,86400.0", "0.5,0.5", "1e-7,1e-07"})
    void aDurationIsWrittenAsTheShortestText(double seconds, String text) {
        WorkflowState state = WorkflowState.builder("wf-1", "req-1")
                .budget(WorkflowBudget.DEFAULT.withMaxDurationSeconds(seconds))
                .build();
        assertThat(Snapshots.write(state)).contains("\"max_duration_seconds\":" + text + ",");
        assertThat(Snapshots.read(Snapshots.write(state))).isEqualTo(state);
    }

    // B-07
    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00Z, 2026-01-01T00:00:00+00:00",
        "2026-01-01T00:00:00.5Z, 2026-01-01T00:00:00.500000+00:00",
        "2026-11-30T23:59:59.000001Z, 2026-11-30T23:59:59.000001+00:00",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00+00:00",
        "1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999999+00:00",
        "9999-12-31T23:59:59.999999Z, 9999-12-31T23:59:59.999999+00:00",
    })
    void aTimeIsWrittenInUtcWithSixDigitsOrNone(Instant time, String text) {
        WorkflowState state =
                WorkflowState.builder("wf-1", "req-1").deadlineAt(time).build();
        assertThat(Snapshots.write(state)).contains("\"deadline_at\":\"" + text + "\"");
        assertThat(Snapshots.read(Snapshots.write(state))).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T02:00:00+02:00, 2026-01-01T00:00:00Z",
        "2025-12-31T18:30:00.5-05:30, 2026-01-01T00:00:00.5Z",
        "2026-01-01T00:00:00Z, 2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00, 2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.000001, 2026-01-01T00:00:00.000001Z",
        "2026-01-01T00:00:00.000001999+00:00, 2026-01-01T00:00:00.000001Z",
    })
    void aTimeIsReadInWhateverOffsetAndWithoutOneAsUtc(String text, Instant time) {
        WorkflowState state =
                Snapshots.read(DEFAULT.replace("\"deadline_at\":null", "\"deadline_at\":\"" + text + "\""));
        assertThat(state.deadlineAt()).contains(time);
    }

    // B-18
    @Test
    void fieldsThatHaveADefaultMayBeMissing() {
        String text = "{\"state\":{\"workflow_id\":\"wf-1\",\"request_id\":\"req-1\"},\"schema_version\":1}";
        assertThat(Snapshots.read(text)).isEqualTo(WorkflowState.create("wf-1", "req-1"));
        String budget = text.replace("\"request_id\"", "\"budget\":{\"max_events\":7},\"request_id\"");
        assertThat(Snapshots.read(budget).budget()).isEqualTo(WorkflowBudget.DEFAULT.withMaxEvents(7));
    }

    // B-22
    @Test
    void aDocumentWithBlanksIsReadAndWrittenCanonical() {
        String pretty = DEFAULT.replace(",", " ,\n  ").replace(":", " :\t").replace("{", "{\r\n");
        assertThat(Snapshots.write(Snapshots.read(pretty))).isEqualTo(DEFAULT);
    }

    @Test
    void aRepeatedFingerprintCollapses() {
        String twice = "[\"" + fingerprint('b') + "\",\"" + fingerprint('a') + "\",\"" + fingerprint('b') + "\"]";
        WorkflowState state =
                Snapshots.read(DEFAULT.replace("\"evidence_fingerprints\":[]", "\"evidence_fingerprints\":" + twice));
        assertThat(state.evidenceFingerprints()).containsExactly(fingerprint('a'), fingerprint('b'));
    }

    @Test
    void aSnapshotHasAtMostOneMebibyte() {
        WorkflowEvent full = event(Map.of("a", "\u00E9".repeat(2_000)));
        int each = bytes(of(List.of(full, full))) - bytes(of(List.of(full)));
        int empty = each - 4_000;
        List<WorkflowEvent> events = new ArrayList<>();
        while (bytes(of(List.of(full))) + events.size() * each < Snapshots.MAX_BYTES - empty) {
            events.add(full);
        }
        int room = Snapshots.MAX_BYTES - bytes(of(events));
        WorkflowState edge = appended(events, event(Map.of("a", "x".repeat(room - empty))));
        assertThat(Snapshots.write(edge).getBytes(StandardCharsets.UTF_8)).hasSize(Snapshots.MAX_BYTES);
        assertThat(Snapshots.read(Snapshots.write(edge))).isEqualTo(edge);

        WorkflowState beyond = appended(events, event(Map.of("a", "x".repeat(room - empty + 1))));
        assertThatThrownBy(() -> Snapshots.write(beyond))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("snapshot must be at most 1048576 bytes of UTF-8");
    }

    @Test
    void theLocaleOfTheMachineChangesNothing() {
        Locale before = Locale.getDefault();
        try {
            for (Locale locale :
                    List.of(new Locale("tr", "TR"), new Locale("ar", "EG"), new Locale("th", "TH", "TH"))) {
                Locale.setDefault(locale);
                assertThat(Snapshots.read(Snapshots.write(rich()))).isEqualTo(rich());
                assertThat(Fingerprint.ofText(Snapshots.write(rich())))
                        .endsWith("e4332accec1e9a332f8f1dd283d800ad5a466443add8b8956e2efb9c079ed052");
                assertThat(ForbiddenNames.forbids("AUTHORIZATION")).isTrue();
                assertThat(ForbiddenNames.forbids("CLIENT")).isTrue();
                assertThat(WorkflowStatus.of("failed")).isEqualTo(WorkflowStatus.FAILED);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    static WorkflowState rich() {
        Map<String, String> metadata = Map.of(
                "\u00e9", "Zo\u00eb \u2028\u007f/",
                "a", "tab\there",
                "A", "q\"b\\",
                "\ud83d\ude00", "\ud83d\ude00",
                "\uffee", "x\u001f");
        WorkflowEvent queued =
                new WorkflowEvent("ev-1", "wf-rich", WorkflowStatus.CREATED, WorkflowStatus.QUEUED, AT, metadata);
        WorkflowEvent running = new WorkflowEvent(
                "ev-2",
                "wf-rich",
                WorkflowStatus.QUEUED,
                WorkflowStatus.RUNNING,
                Instant.parse("2026-01-01T00:01:00.5Z"),
                Map.of());
        return WorkflowState.builder("wf-rich", "req-rich")
                .tenantScopeFingerprint(fingerprint('a'))
                .status(WorkflowStatus.RUNNING)
                .attempts(2)
                .budget(new WorkflowBudget(5, 50, 2, 4, 0.00005))
                .events(List.of(queued, running))
                .evidenceFingerprints(Set.of(fingerprint('f'), fingerprint('e')))
                .currentStage(Stages.PLAN)
                .gateEvidenceFingerprints(Set.of(fingerprint('b')))
                .compatibilityFingerprints(Map.of("view", fingerprint('f'), "config", fingerprint('e')))
                .cancellationRequested(true)
                .deadlineAt(Instant.parse("2026-01-01T00:05:00.000001Z"))
                .retryCount(1)
                .build();
    }

    private static WorkflowState with(Map<String, String> metadata) {
        return of(List.of(event(metadata)));
    }

    private static WorkflowState appended(List<WorkflowEvent> events, WorkflowEvent event) {
        List<WorkflowEvent> longer = new ArrayList<>(events);
        longer.add(event);
        return of(longer);
    }

    private static WorkflowState of(List<WorkflowEvent> events) {
        return WorkflowState.builder("wf-1", "req-1").events(events).build();
    }

    private static int bytes(WorkflowState state) {
        return Snapshots.write(state).getBytes(StandardCharsets.UTF_8).length;
    }

    private static WorkflowEvent event(Map<String, String> metadata) {
        return new WorkflowEvent("ev-1", "wf-1", WorkflowStatus.CREATED, WorkflowStatus.QUEUED, AT, metadata);
    }
}
