package io.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.HoldfastException.Code;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that are not snapshots. Each holds the marker somewhere, and no error may show it. */
class BadSnapshotTest {

    private static final String MARKER = "hunter2";
    private static final String GOOD =
            "{\"schema_version\":1,\"state\":{\"workflow_id\":\"wf-hunter2\",\"request_id\":\"req-hunter2\"}}";

    @Test
    void theDocumentThatTheseAreMadeFromIsGood() {
        assertThat(Snapshots.read(GOOD).workflowId()).isEqualTo("wf-hunter2");
    }

    // B-09
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"hunter2\"",
                "{\"schema_version\":1,\"state\":{\"workflow_id\":\"hunter2",
                "{\"schema_version\":1,\"state\":{\"workflow_id\":hunter2}}",
                "hunter2",
                "{'hunter2':1}",
            })
    void whatIsNotAnObjectOfJsonIsInvalid(String text) {
        invalid("snapshot", text);
    }

    // B-09
    @Test
    void whatStandsBeforeOrAfterADocumentIsInvalid() {
        invalid("snapshot", GOOD + " x");
        invalid("snapshot", GOOD + GOOD);
        invalid("snapshot", GOOD + MARKER);
        invalid("snapshot", "\uFEFF" + GOOD);
        invalid("snapshot", null);
    }

    // B-10
    @ParameterizedTest
    @CsvSource(
            value = {
                "'',<null>",
                "'\"schema_version\":null,',<null>",
                "'\"schema_version\":\"1\",',1",
                "'\"schema_version\":2,',2",
                "'\"schema_version\":0,',0",
                "'\"schema_version\":1.0,',1.0",
                "'\"schema_version\":-1,',-1",
                "'\"schema_version\":true,',true",
                "'\"schema_version\":\"hunter2\",',<redacted>",
                "'\"schema_version\":[\"hunter2\"],',<redacted>",
                "'\"schema_version\":123456789012345678901234567890123,',<redacted>",
            },
            ignoreLeadingAndTrailingWhitespace = true)
    void anyVersionButTheIntegerOneIsUnsupported(String field, String shown) {
        String text = GOOD.replace("\"schema_version\":1,", field);
        InvalidSnapshotException refusal = refused(text);
        assertThat(refusal.code()).isEqualTo(Code.UNSUPPORTED_SCHEMA_VERSION);
        assertThat(refusal.details()).isEqualTo(Map.of("schema_version", shown));
    }

    // B-12
    @Test
    void theVersionIsJudgedBeforeTheFields() {
        InvalidSnapshotException refusal = refused("{\"schema_version\":2,\"state\":{\"prompt\":\"hunter2\"}}");
        assertThat(refusal.code()).isEqualTo(Code.UNSUPPORTED_SCHEMA_VERSION);
    }

    @Test
    void theVersionIsJudgedBeforeTheState() {
        assertThat(refused("{\"schema_version\":2,\"state\":\"hunter2\"}").code())
                .isEqualTo(Code.UNSUPPORTED_SCHEMA_VERSION);
        invalid("state", "{\"schema_version\":1,\"state\":\"hunter2\"}");
        invalid("state", "{\"schema_version\":1}");
        invalid("state", "{\"schema_version\":1,\"hunter2\":null}");
    }

    // B-13
    @Test
    void forbiddenFieldsAreNamedInOrderAlsoWhenNull() {
        InvalidSnapshotException refusal = refused(
                "{\"schema_version\":1,\"state\":{\"sql\":\"hunter2\",\"hunter2\":1,\"prompt\":null},\"password\":1}");
        assertThat(refusal.code()).isEqualTo(Code.INVALID_INPUT);
        assertThat(refusal.details()).isEqualTo(Map.of("fields", "prompt,sql"));
    }

    @ParameterizedTest
    @CsvSource({
        "Prompt",
        "hunter2",
        "deadlineAt",
    })
    void anUnknownFieldOfTheStateIsInvalid(String name) {
        invalid("state", GOOD.replace("\"request_id\"", "\"" + name + "\":\"hunter2\",\"request_id\""));
    }

    @Test
    void anotherFieldBesideTheStateIsInvalid() {
        invalid("snapshot", GOOD.replace("\"state\"", "\"hunter2\":1,\"state\""));
    }

    // B-15
    @Test
    void anUnknownFieldInsideABudgetOrEventIsInvalid() {
        invalid("budget", state("\"budget\":{\"prompt\":\"hunter2\"}"));
        invalid("events[0].event", state("\"events\":[{\"prompt\":\"hunter2\"}]"));
    }

    // B-19
    @Test
    void aKeyTwiceIsInvalid() {
        invalid("snapshot", GOOD.replace("\"schema_version\":1", "\"schema_version\":2,\"schema_version\":1"));
        invalid("snapshot", state("\"attempts\":1,\"attempts\":1"));
    }

    // B-21
    @Test
    void aLoneSurrogateIsInvalid() {
        invalid("snapshot", state("\"current_stage\":\"hunter2\\ud800\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workflow_id|null",
                "attempts|\"3\"",
                "attempts|3.0",
                "attempts|true",
                "attempts|null",
                "attempts|4294967297",
                "attempts|99999999999999999999",
                "attempts|101",
                "retry_count|-1",
                "repair_count|101",
                "version|2",
                "version|\"1\"",
                "status|null",
                "status|\"Running\"",
                "status|\"hunter2\"",
                "status|1",
                "current_stage|\"hunter2 \"",
                "current_stage|1",
                "tenant_scope_fingerprint|\"hunter2\"",
                "cancellation_requested|\"yes\"",
                "cancellation_requested|1",
                "cancellation_requested|null",
                "deadline_at|1767225600",
                "deadline_at|\"2026-01-01\"",
                "deadline_at|\"hunter2\"",
                "deadline_at|\"2026-02-30T00:00:00+00:00\"",
                "deadline_at|\"2026-01-01T24:00:01+00:00\"",
                "deadline_at|\"2026-01-01T00:00:00+00:00hunter2\"",
                "deadline_at|\"+10000-01-01T00:00:00+00:00\"",
                "budget|null",
                "budget|[\"hunter2\"]",
                "events|null",
                "events|{\"hunter2\":1}",
                "evidence_fingerprints|\"hunter2\"",
                "evidence_fingerprints|[\"hunter2\"]",
                "evidence_fingerprints|[null]",
                "gate_evidence_fingerprints|[1]",
                "compatibility_fingerprints|[]",
                "compatibility_fingerprints|{\"hunter2\":\"hunter2\"}",
                "compatibility_fingerprints|{\"view\":null}",
            })
    void aFieldOfAnotherTypeOrBeyondItsLimitIsInvalidByItsName(String field, String value) {
        String text = field.equals("workflow_id")
                ? GOOD.replace("\"wf-hunter2\"", value)
                : state("\"" + field + "\":" + value);
        invalid(field, text);
    }

    @Test
    void missingIdsAreInvalid() {
        invalid("workflow_id", "{\"schema_version\":1,\"state\":{\"request_id\":\"hunter2\"}}");
        invalid("request_id", "{\"schema_version\":1,\"state\":{\"workflow_id\":\"hunter2\"}}");
    }

    @ParameterizedTest
    @CsvSource({
        "max_attempts,0",
        "max_events,10001",
        "max_retries,101",
        "max_repairs,1.0",
        "max_duration_seconds,0",
        "max_duration_seconds,86400.1",
        "max_duration_seconds,true"
    })
    void aBudgetBeyondItsLimitsIsInvalid(String field, String value) {
        invalid(field, state("\"budget\":{\"" + field + "\":" + value + "}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "event_id|\"hunter2 \"",
                "workflow_id|\"other-hunter2 \"",
                "from_status|\"hunter2\"",
                "to_status|7",
                "occurred_at|null",
                "metadata|{\"hunter2\":1}",
                "metadata|{\"password\":\"hunter2\"}",
                "metadata|[\"hunter2\"]",
            })
    void anEventIsInvalidByItsPlaceAndField(String field, String value) {
        String good = "{\"event_id\":\"ev-1\",\"from_status\":\"created\",\"to_status\":\"queued\",\"metadata\":{},"
                + "\"occurred_at\":\"2026-01-01T00:00:00+00:00\",\"workflow_id\":\"wf-hunter2\"}";
        String bad = good.replaceAll("\"" + field + "\":(\"[^\"]*\"|\\{\\})", "\"" + field + "\":" + value);
        assertThat(bad).isNotEqualTo(good);
        invalid("events[1]." + field, state("\"events\":[" + good + "," + bad + "]"));
    }

    //
    @Test
    void anEventOfAnotherWorkflowIsInvalid() {
        invalid(
                "events",
                state("\"events\":[{\"event_id\":\"ev-1\",\"from_status\":\"created\",\"to_status\":\"queued\","
                        + "\"occurred_at\":\"2026-01-01T00:00:00+00:00\",\"workflow_id\":\"wf-other\"}]"));
    }

    @Test
    void whatIsTooLargeOrTooDeepIsInvalid() {
        invalid("snapshot", state("\"current_stage\":\"" + MARKER + "x".repeat(Snapshots.MAX_BYTES) + "\""));
        invalid("snapshot", state("\"current_stage\":\"" + MARKER + "\u20AC".repeat(Snapshots.MAX_BYTES / 3) + "\""));
        invalid("snapshot", state("\"hunter2\":" + "[".repeat(501) + "]".repeat(501)));
        invalid("snapshot", "{\"hunter2\":".repeat(50_000));
    }

    private static String state(String fields) {
        return GOOD.replace("\"request_id\"", fields + ",\"request_id\"");
    }

    private static void invalid(String field, String text) {
        InvalidSnapshotException refusal = refused(text);
        assertThat(refusal.code()).isEqualTo(Code.INVALID_INPUT);
        assertThat(refusal.details()).containsEntry("field", field).containsOnlyKeys("field", "rule");
    }

    private static InvalidSnapshotException refused(String text) {
        InvalidSnapshotException refusal = assertThrows(InvalidSnapshotException.class, () -> Snapshots.read(text));
        StringWriter all = new StringWriter();
        refusal.printStackTrace(new PrintWriter(all));
        assertThat(all + refusal.getMessage() + refusal.details()).doesNotContain(MARKER);
        assertThat(refusal).hasNoCause();
        assertThat(refusal.retryable()).isFalse();
        return refusal;
    }
}
