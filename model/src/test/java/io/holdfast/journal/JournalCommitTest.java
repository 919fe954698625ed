package io.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.failure.InvalidValueException;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a commit may hold; one past each limit is refused and names the field. */
class JournalCommitTest {

    private static final StepKey A = StepKey.visit("a", 1);
    private static final Intent INTENT = Intent.of(A, "payload", "key", EffectClass.IDEMPOTENT);
    private static final JournalEvent EVENT = JournalEvent.of("{}");

    private static JournalCommit.Builder commit() {
        return JournalCommit.toAny("run");
    }

    private static void refused(String field, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.field()).isEqualTo(field));
    }

    private static String text(int bytes) {
        return "\"" + "x".repeat(bytes - 2) + "\"";
    }

    private static String object(int bytes) {
        return "{\"a\":" + text(bytes - 6) + "}";
    }

    @Test
    void aStateIsAnObjectOfAtMostFourMebibytes() {
        assertThat(commit().state(object(JournalCommit.MAX_STATE_BYTES)).build().state())
                .isPresent();
        refused(
                "state",
                () -> commit().state(object(JournalCommit.MAX_STATE_BYTES + 1)).build());
        refused("state", () -> commit().state("[]").build());
        refused("state", () -> commit().state("{\"a\":NaN}").build());
        refused("state", () -> commit().state("{\"a\":\"\uD800\"}").build());
        refused("stateVersion", () -> commit().stateVersion(0).build());
        refused("cursor", () -> commit().cursor("x".repeat(JournalCommit.MAX_CURSOR_BYTES + 1)));
    }

    @Test
    void outputsResultsAndEventsAreAtMostOneMebibyte() {
        int most = JournalCommit.MAX_OUTPUT_BYTES;
        assertThat(StepOutcome.completed(A, text(most)).output()).hasSize(most);
        refused("output", () -> StepOutcome.completed(A, text(most + 1)));
        refused("output", () -> StepOutcome.failed(A, "no JSON"));
        refused("result", () -> EffectEntry.confirmed(A, 0, text(most + 1)));
        refused("payload", () -> new JournalEvent("x", object(most + 1)));
        refused("payload", () -> JournalEvent.of("[]"));
        refused("type", () -> JournalEvent.of("{\"type\":1}"));
        refused("type", () -> JournalEvent.of("{\"type\":\"\"}"));
        refused("type", () -> new JournalEvent("x".repeat(129), "{}"));
        refused("result", () -> Resolution.of(Resolution.Finding.FAILED, "a").withResult("?"));
        refused("actor", () -> Resolution.of(Resolution.Finding.FAILED, ""));
    }

    @Test
    void aCommitHoldsSomethingAndAtMostAThousandEntriesAndSixteenMebibytes() {
        refused("entry", () -> commit().build());
        assertThat(commit().events(Collections.nCopies(1_000, EVENT)).build().events())
                .hasSize(1_000);
        refused(
                "entry",
                () -> commit().intent(INTENT)
                        .events(Collections.nCopies(1_000, EVENT))
                        .build());
        JournalEvent large = new JournalEvent("x", object(JournalCommit.MAX_OUTPUT_BYTES));
        assertThat(commit().events(Collections.nCopies(16, large)).build().events())
                .hasSize(16);
        refused(
                "entry",
                () -> commit().event(EVENT)
                        .events(Collections.nCopies(16, large))
                        .build());
    }

    @Test
    void whatIsReservedCountsAsWell() {
        List<String> most = Collections.nCopies(Intent.MAX_RESERVATIONS, "r".repeat(128));
        JournalCommit.Builder commit = commit();
        for (int step = 1; step <= JournalCommit.MAX_ENTRIES; step++) {
            commit.intent(Intent.of(StepKey.visit("a", step), "payload", "key", EffectClass.PURE)
                    .withReservations(most));
        }
        int rest = JournalCommit.MAX_BYTES - 12_800_000;
        assertThat(commit.state(object(rest)).build().steps()).hasSize(JournalCommit.MAX_ENTRIES);
        refused("entry", () -> commit.state(object(rest + 1)).build());
    }

    @Test
    void aStepAnEffectAndAKeyAreNamedOnce() {
        refused(
                "effects",
                () -> commit().effect(INTENT.pending())
                        .effect(EffectEntry.confirmed(A, 0))
                        .build());
        refused(
                "effects",
                () -> commit().effect(INTENT.pending())
                        .effect(EffectEntry.pending(A, 1, "key"))
                        .build());
        refused("steps", () -> commit().intent(INTENT).intent(INTENT.under("approval")));
        refused("steps", () -> commit().outcome(StepOutcome.completed(A, "1")).intent(INTENT));
        refused("steps", () -> commit().outcome(StepOutcome.completed(A, "1")).outcome(StepOutcome.completed(A, "2")));
        JournalCommit both = commit().intent(INTENT)
                .intent(INTENT)
                .outcome(StepOutcome.completed(A, "1"))
                .build();
        assertThat(both.steps()).hasSize(1);
        assertThat(both.toString()).isEqualTo("JournalCommit[run, 1 steps, 0 effects, 0 events]");
    }

    @Test
    void anIntentAndAnEffectKeepTheirLimits() {
        refused("idempotencyKey", () -> Intent.of(A, "payload", "x".repeat(256), EffectClass.PURE));
        refused("payloadDigest", () -> Intent.of(A, "", "k", EffectClass.PURE));
        refused("reservations", () -> INTENT.withReservations(Collections.nCopies(101, "r")));
        refused("approvalId", () -> INTENT.under(""));
        refused("index", () -> EffectEntry.pending(A, EffectId.MAX_INDEX + 1, "k"));
        refused("idempotencyKey", () -> EffectEntry.pending(A, 0, ""));
        refused("runId", () -> JournalCommit.toAny("").cursor("x").build());
        refused("runId", () -> NewRun.of("a\0b", RunKind.AGENT, "d", "{}"));
        refused("definitionDigest", () -> NewRun.of("r", RunKind.AGENT, "", "{}"));
        refused("origin", () -> NewRun.of("r", RunKind.AGENT, "d", "{}").withOrigin("[]"));
        refused("stateVersion", () -> NewRun.of("r", RunKind.AGENT, "d", "{}").withStateVersion(0));
    }

    @Test
    void aManifestSaysTheClassOfAnEffect() {
        assertThat(List.of("pure", "read", "idempotent_write", "non_idempotent_write"))
                .extracting(EffectClass::ofManifest)
                .containsExactly(
                        EffectClass.PURE, EffectClass.PURE, EffectClass.IDEMPOTENT, EffectClass.NON_IDEMPOTENT);
        assertThat(EffectClass.ofManifest(null)).isEqualTo(EffectClass.NON_IDEMPOTENT);
        refused("effects", () -> EffectClass.ofManifest("write"));
    }
}
