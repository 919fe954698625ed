package io.holdfast.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.StepKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** One past each limit, and what is not told. */
class ApprovalValuesTest {

    private static final String DIGEST = "a".repeat(64);
    private static final String SECRET = "\"s3cret\"";

    private static void refused(String field, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(InvalidValueException.class, e -> {
            assertThat(e.field()).isEqualTo(field);
            assertThat(e.getMessage()).doesNotContain("s3cret");
        });
    }

    private static ApprovalRequest request(String id, String run, String payload) {
        return new ApprovalRequest(id, run, payload, Optional.empty(), Expiry.DEFAULT);
    }

    @Test
    void idsHaveTheirLimits() {
        request("x".repeat(1_024), "\u00e9".repeat(512), "1");
        refused("id", () -> request("", "r", "1"));
        refused("id", () -> request("x".repeat(1_025), "r", "1"));
        refused("id", () -> request("a\0", "r", "1"));
        refused("id", () -> request("\ud83d", "r", "1"));
        refused("run", () -> request("a", "\u00e9".repeat(513), "1"));
        refused("approval", () -> new ApprovalUse("", "r", DIGEST, new StepKey("a#1")));
        refused("run", () -> new ApprovalUse("a", "", DIGEST, new StepKey("a#1")));
        refused("digest", () -> new ApprovalUse("a", "r", "A".repeat(64), new StepKey("a#1")));
    }

    @Test
    void whatTheDatabaseCannotKeepIsRefusedInEveryText() {
        StepKey step = new StepKey("a#1");
        ApprovalUse use = new ApprovalUse("a", "r", DIGEST, step);
        for (String bad : List.of("a\0b", "\ud83d", "\udc00a", "a\nb")) {
            refused("id", () -> request(bad, "r", "1"));
            refused("run", () -> request("a", bad, "1"));
            refused("role", () -> request("a", "r", "1").decidedBy(bad));
            refused("payload", () -> request("a", "r", "\"" + bad + "\""));
            refused("actor", () -> Decision.approve(DIGEST, bad));
            refused("role", () -> Decision.approve(DIGEST, "a").as(bad));
            refused("answer", () -> Decision.approve(DIGEST, "a").answering("\"" + bad + "\""));
            refused("approval", () -> new ApprovalUse(bad, "r", DIGEST, step));
            refused("run", () -> new ApprovalUse("a", bad, DIGEST, step));
            refused("idempotencyKey", () -> new ApprovedCall(use, EffectClass.IDEMPOTENT, Optional.of(bad)));
            refused("after", () -> new ApprovalPage.Place(Instant.EPOCH, bad));
            assertThat(Decision.reject(DIGEST, "a", bad).reason()).contains("\ufffd");
        }
    }

    @Test
    void aPayloadIsJsonOfAMebibyteAtMost() {
        request("a", "r", "\"" + "x".repeat((1 << 20) - 2) + "\"");
        refused("payload", () -> request("a", "r", "\"" + "x".repeat((1 << 20) - 1) + "\""));
        refused("payload", () -> request("a", "r", "{\"s3cret\""));
        refused("payload", () -> request("a", "r", "{\"a\":1,\"a\":2}"));
        refused("payload", () -> request("a", "r", "\"\\ud83d\""));
        refused("payload", () -> ApprovalRequest.of("a", "r", Double.NaN, Expiry.DEFAULT));
    }

    @Test // A15
    void aTimeIsWithinBoundsAndCutToWhatTheDatabaseKeeps() {
        assertThat(Expiry.after(Duration.ofNanos(1_999_999)).millis()).isEqualTo(1);
        Expiry.after(Duration.ofDays(3_650));
        refused("expiry", () -> Expiry.after(Duration.ofNanos(999_999)));
        refused("expiry", () -> Expiry.after(Duration.ofDays(3_650).plusNanos(1)));
        refused("expiry", () -> Expiry.at(Instant.MAX));
        refused("expiry", () -> Expiry.at(Instant.MIN));
        refused("expiry", () -> new Expiry(Optional.of(Duration.ofHours(1)), Optional.of(Instant.EPOCH)));
        assertThat(Expiry.at(Instant.EPOCH.plusNanos(1_999))).isEqualTo(Expiry.at(Instant.EPOCH.plusNanos(1_000)));
    }

    @Test
    void aDecisionHasItsLimits() {
        refused("actor", () -> Decision.approve(DIGEST, ""));
        refused("actor", () -> Decision.approve(DIGEST, "a".repeat(129)));
        refused("role", () -> Decision.approve(DIGEST, "a").as("r".repeat(129)));
        refused("role", () -> request("a", "r", "1").decidedBy(""));
        refused("digest", () -> Decision.approve("sha256:" + DIGEST, "a"));
        refused("answer", () -> Decision.approve(DIGEST, "a").answering("{s3cret"));
        refused("answer", () -> Decision.approve(DIGEST, "a").answering("\"" + "x".repeat(1 << 20) + "\""));
        assertThat(Decision.reject(DIGEST, "a", "x\0" + "y".repeat(2_000)).reason())
                .hasSize(1_000)
                .startsWith("x\ufffdy");
    }

    @Test
    void aCallHasItsLimits() {
        ApprovalUse use = new ApprovalUse("a", "r", DIGEST, new StepKey("a#1"));
        refused("effectClass", () -> ApprovedCall.of(use, EffectClass.PURE));
        refused("idempotencyKey", () -> new ApprovedCall(use, EffectClass.IDEMPOTENT, Optional.of("")));
        refused("idempotencyKey", () -> new ApprovedCall(use, EffectClass.IDEMPOTENT, Optional.of("k".repeat(256))));
        refused("after", () -> new ApprovalPage.Place(Instant.EPOCH, ""));
    }

    @Test
    void aStateIsKnownByItsStoredName() {
        for (ApprovalState state : ApprovalState.values()) {
            assertThat(ApprovalState.of(state.wire())).isEqualTo(state);
        }
        refused("state", () -> ApprovalState.of("PENDING"));
        for (Decision.Verdict verdict : Decision.Verdict.values()) {
            assertThat(Decision.Verdict.of(verdict.wire())).isEqualTo(verdict);
        }
        refused("verdict", () -> Decision.Verdict.of("maybe"));
    }

    @Test
    void noPayloadNoAnswerAndNoReasonIsToldByAccident() {
        ApprovalRequest request = request("ap-1", "run-1", SECRET);
        Decision decision = Decision.reject(DIGEST, "ann", "s3cret").answering(SECRET);
        Approval approval = new Approval(
                "ap-1",
                "run-1",
                SECRET,
                DIGEST,
                Optional.empty(),
                ApprovalState.WITHDRAWN,
                false,
                Optional.of(new Approval.Decided(decision, Instant.EPOCH)),
                Optional.empty(),
                Optional.of(new Approval.Withdrawn(Optional.empty(), "s3cret", Instant.EPOCH)),
                Instant.EPOCH,
                Optional.empty());
        assertThat(request + " " + decision + " " + approval + approval.decision() + approval.withdrawn())
                .contains("ap-1", "ann")
                .doesNotContain("s3cret");
    }
}
