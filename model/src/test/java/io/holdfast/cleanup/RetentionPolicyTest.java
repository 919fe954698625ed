package io.holdfast.cleanup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Scope;
import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalState;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.RunStatus;
import io.holdfast.state.WorkflowStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RetentionPolicyTest {

    private static final RetentionPace PACE = RetentionPace.DEFAULT;

    private static void refused(String message, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(call).withMessage(message);
    }

    @Test
    void agesAreZeroToAHundredYears() {
        for (Duration bad : new Duration[] {
            Duration.ofNanos(-1), Duration.ofDays(36_500).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            refused("time must be zero to 36,500 days", () -> Keep.during(bad));
            refused("expired must be zero to 36,500 days", () -> RetentionRule.DEFAULT.withExpired(bad));
        }
        assertThat(Keep.during(Duration.ofDays(36_500)).time()).contains(Duration.ofDays(36_500));
    }

    @Test
    void aKeepSaysHowLongOrHowMany() {
        refused("newest must be 0 to 1,000,000", () -> Keep.newest(-1));
        refused("newest must be 0 to 1,000,000", () -> Keep.newest(1_000_001));
        refused(
                "time must be given where newest is not: what is kept for ever needs no entry",
                () -> new Keep(Optional.empty(), OptionalInt.empty()));
        assertThat(Keep.during(Duration.ZERO).atMost(1_000_000))
                .isEqualTo(new Keep(Optional.of(Duration.ZERO), OptionalInt.of(1_000_000)));
    }

    @Test
    void onlyWhatHasEndedHasARule() {
        for (WorkflowStatus status : WorkflowStatus.values()) {
            if (status.isTerminal()) {
                assertThat(RetentionRule.DEFAULT.with(status, Keep.newest(1)).ended())
                        .containsOnlyKeys(status);
            } else {
                refused(
                        "ended must name terminal statuses: succeeded, failed, closed",
                        () -> RetentionRule.DEFAULT.with(status, Keep.newest(1)));
            }
        }
    }

    @Test
    void ofRunsToo() {
        Keep one = Keep.newest(1);
        for (RunStatus status : RunStatus.values()) {
            if (status.isFinal()) {
                assertThat(RetentionRule.KEEP_ALL.withJournals(status, one).others())
                        .containsOnlyKeys(new Ended(Kind.JOURNALS, status.wire()));
            } else {
                refused("status must be a final one", () -> RetentionRule.KEEP_ALL.withJournals(status, one));
            }
        }
        for (CheckpointStatus status : new CheckpointStatus[] {CheckpointStatus.RUNNING, CheckpointStatus.PAUSED}) {
            refused("status must be a final one", () -> RetentionRule.KEEP_ALL.withCheckpoints(status, one));
        }
        for (ApprovalState state : new ApprovalState[] {ApprovalState.PENDING, ApprovalState.APPROVED}) {
            refused("status must be a final one", () -> RetentionRule.KEEP_ALL.withApprovals(state, one));
        }
        for (AgentStatus status : new AgentStatus[] {AgentStatus.RUNNING, AgentStatus.PAUSED, AgentStatus.COMPLETED}) {
            refused("status must be a final one", () -> RetentionRule.KEEP_ALL.withAgents(status, one));
        }
        refused("status must be a final one", () -> RetentionRule.KEEP_ALL.withRuns("running", one));
        refused("status must be a final one", () -> new Ended(Kind.SESSIONS, "done"));
        refused("kind must be none that has a rule of its own", () -> new Ended(Kind.LEASES, "free"));
        refused(
                "others must keep at least one entry of a history",
                () -> RetentionRule.KEEP_ALL.withHistories(Keep.during(Duration.ZERO)));
    }

    @Test
    void whatIsRemovedIsCountedByKind() {
        Removed some = Removed.of(Kind.RUNS, 2).plus(new Removed(1, 0, 0)).plus(Removed.of(Kind.RUNS, 1));
        assertThat(some.counts()).containsExactly(Map.entry(Kind.WORKFLOWS, 1), Map.entry(Kind.RUNS, 3));
        assertThat(some.total()).isEqualTo(4);
        assertThat(Removed.of(Kind.AGENTS, 0)).isEqualTo(Removed.NOTHING);
        refused("counts must be 0 or more", () -> Removed.of(Kind.AGENTS, -1));
    }

    @Test
    void aPaceIsBounded() {
        refused("batch must be 1 to 10,000", () -> PACE.withBatch(0));
        refused("batch must be 1 to 10,000", () -> PACE.withBatch(10_001));
        refused("swift must be 1 millisecond to a minute", () -> PACE.withSwift(Duration.ofNanos(999_999)));
        refused("swift must be 1 millisecond to a minute", () -> PACE.withSwift(Duration.ofSeconds(61)));
        refused("rest must be 0 to 100", () -> PACE.withRest(-1));
        refused("rest must be 0 to 100", () -> PACE.withRest(101));
        refused("pause must be zero to a minute", () -> PACE.withPause(Duration.ofMillis(-1)));
        refused("pause must be zero to a minute", () -> PACE.withPause(Duration.ofSeconds(61)));
        refused("atMost must be 1 millisecond to 7 days", () -> PACE.withAtMost(Duration.ZERO));
        refused("atMost must be 1 millisecond to 7 days", () -> PACE.withAtMost(Duration.ofDays(8)));
    }

    @Test
    void aScopesOwnRuleReplacesTheUsualOne() {
        Scope audited = Scope.of("audited");
        RetentionPolicy policy = RetentionPolicy.DEFAULT.with(audited, RetentionRule.KEEP_ALL);
        assertThat(policy.of(audited)).isEqualTo(RetentionRule.KEEP_ALL);
        assertThat(policy.of(Scope.of("other"))).isEqualTo(RetentionRule.DEFAULT);
        assertThat(RetentionPolicy.DEFAULT.scopes()).isEmpty();
    }

    @Test
    void aReportAddsItsScopesUp() {
        Map<Scope, Removed> scopes = new LinkedHashMap<>();
        scopes.put(Scope.of("b"), new Removed(1, 2, 3));
        scopes.put(Scope.of("a"), new Removed(10, 20, 30));
        RetentionReport report = new RetentionReport(scopes, true);
        scopes.clear();
        assertThat(report.total()).isEqualTo(new Removed(11, 22, 33));
        assertThat(report.scopes().keySet()).as("in their order").containsExactly(Scope.of("b"), Scope.of("a"));
        assertThat(new RetentionReport(Map.of(), false).total()).isEqualTo(Removed.NOTHING);
    }
}
