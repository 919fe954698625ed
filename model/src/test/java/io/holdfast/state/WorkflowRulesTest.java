package io.holdfast.state;

import static io.holdfast.state.WorkflowStateTest.fingerprint;
import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.CREATED;
import static io.holdfast.state.WorkflowStatus.FAILED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.RUNNING;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException.Code;
import io.holdfast.failure.InvalidValueException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkflowRulesTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Map<WorkflowStatus, Set<WorkflowStatus>> LEGAL = Map.of(
            CREATED, Set.of(QUEUED, FAILED, CLOSED),
            QUEUED, Set.of(RUNNING, FAILED, CLOSED),
            RUNNING, Set.of(QUEUED, SUCCEEDED, FAILED, CLOSED),
            SUCCEEDED, Set.of(),
            FAILED, Set.of(),
            CLOSED, Set.of());

    //
    @Test
    void everyMoveThatIsNotInTheTableIsRefused() {
        for (WorkflowStatus from : WorkflowStatus.values()) {
            for (WorkflowStatus to : WorkflowStatus.values()) {
                WorkflowState state = in(from).build();
                assertThat(WorkflowRules.allows(from, to))
                        .isEqualTo(LEGAL.get(from).contains(to));
                if (LEGAL.get(from).contains(to)) {
                    assertThat(WorkflowRules.transition(state, to, "ev-1", AT).status())
                            .isEqualTo(to);
                } else {
                    refused(
                            Code.INVALID_TRANSITION,
                            Map.of("from", from.wire(), "to", to.wire()),
                            () -> WorkflowRules.transition(state, to, "ev-1", AT));
                }
            }
        }
    }

    @Test
    void aMoveAddsItsEventAndCarriesTheRestOver() {
        WorkflowState queued = in(QUEUED)
                .tenantScopeFingerprint(fingerprint('a'))
                .attempts(1)
                .events(List.of(move("ev-1", CREATED, QUEUED)))
                .evidenceFingerprints(Set.of(fingerprint('b')))
                .currentStage(Stages.PLAN)
                .gateEvidenceFingerprints(Set.of(fingerprint('c')))
                .compatibilityFingerprints(Map.of("view", fingerprint('d')))
                .cancellationRequested(true)
                .deadlineAt(AT)
                .retryCount(2)
                .repairCount(1)
                .build();
        WorkflowState untouched = queued.toBuilder().build();

        WorkflowState running = WorkflowRules.transition(
                queued, Transition.to(RUNNING, "ev-2", AT).withMetadata(Map.of("worker", "w1")));

        WorkflowEvent added = new WorkflowEvent("ev-2", "wf-1", QUEUED, RUNNING, AT, Map.of("worker", "w1"));
        assertThat(running)
                .isEqualTo(queued.toBuilder()
                        .status(RUNNING)
                        .attempts(2)
                        .events(List.of(move("ev-1", CREATED, QUEUED), added))
                        .build());
        assertThat(queued).isEqualTo(untouched);
    }

    @Test
    void countersAreReplacedWhenGiven() {
        WorkflowState state = in(RUNNING).retryCount(1).repairCount(1).build();
        WorkflowState next = WorkflowRules.transition(
                state, Transition.to(QUEUED, "ev-1", AT).withRetryCount(2).withRepairCount(0));
        assertThat(next.retryCount()).isEqualTo(2);
        assertThat(next.repairCount()).isZero();
    }

    //
    @Test
    void attemptsAreJudgedBeforeEvents() {
        WorkflowState state = in(QUEUED)
                .attempts(3)
                .budget(WorkflowBudget.DEFAULT.withMaxEvents(1))
                .events(List.of(move("ev-1", CREATED, QUEUED)))
                .build();
        refused(
                Code.BUDGET_EXCEEDED,
                Map.of("attempts", "3", "max_attempts", "3"),
                () -> WorkflowRules.transition(state, RUNNING, "not an id", AT));
    }

    //
    @Test
    void aRetryCostsOneAttempt() {
        WorkflowState running = in(RUNNING).attempts(1).build();
        WorkflowState queued = WorkflowRules.transition(running, QUEUED, "ev-1", AT);
        assertThat(queued.attempts()).isEqualTo(1);
        assertThat(WorkflowRules.transition(queued, RUNNING, "ev-2", AT).attempts())
                .isEqualTo(2);
    }

    @Test
    void aHundredAttemptsAreTheMostEvenOfAStateFromElsewhere() {
        WorkflowState state = in(QUEUED)
                .attempts(100)
                .budget(WorkflowBudget.DEFAULT.withMaxAttempts(100))
                .build();
        refused(
                Code.BUDGET_EXCEEDED,
                Map.of("attempts", "100", "max_attempts", "100"),
                () -> WorkflowRules.transition(state, RUNNING, "ev-1", AT));
    }

    // H19, K-10
    @Test
    void theLastEventOfTheBudgetIsKeptForTheMoveThatEndsTheWorkflow() {
        WorkflowState state =
                in(CREATED).budget(WorkflowBudget.DEFAULT.withMaxEvents(5)).build();
        state = WorkflowRules.transition(state, QUEUED, "ev-1", AT);
        state = WorkflowRules.transition(state, RUNNING, "ev-2", AT);
        state = WorkflowRules.checkpoint(state, Stages.MEMORY, "ev-3", AT);
        state = WorkflowRules.checkpoint(state, Stages.INTENT, "ev-4", AT);

        WorkflowState full = state;
        Map<String, String> details = Map.of("events", "4", "max_events", "5");
        refused(Code.BUDGET_EXCEEDED, details, () -> WorkflowRules.checkpoint(full, Stages.PLAN, "ev-5", AT));
        refused(Code.BUDGET_EXCEEDED, details, () -> WorkflowRules.transition(full, QUEUED, "ev-5", AT));
        for (WorkflowStatus end : List.of(SUCCEEDED, FAILED, CLOSED)) {
            assertThat(WorkflowRules.transition(full, end, "ev-5", AT).events()).hasSize(5);
        }
    }

    // H19
    @Test
    void aStateFromElsewhereThatHasUsedUpItsEventsCanStillEnd() {
        WorkflowState full = in(CREATED)
                .budget(WorkflowBudget.DEFAULT.withMaxEvents(1))
                .events(List.of(move("ev-1", CREATED, CREATED), move("ev-2", CREATED, CREATED)))
                .build();
        refused(
                Code.BUDGET_EXCEEDED,
                Map.of("events", "2", "max_events", "1"),
                () -> WorkflowRules.transition(full, QUEUED, "ev-3", AT));
        assertThat(WorkflowRules.transition(full, CLOSED, "ev-3", AT).status()).isEqualTo(CLOSED);
    }

    @Test
    void fieldsAreJudgedLast() {
        WorkflowState created = in(CREATED).build();
        invalid("eventId", () -> WorkflowRules.transition(created, QUEUED, "not an id", AT));
        invalid(
                "metadata",
                () -> WorkflowRules.transition(
                        created, Transition.to(QUEUED, "ev-1", AT).withMetadata(entries(33))));
        invalid(
                "retryCount",
                () -> WorkflowRules.transition(
                        created, Transition.to(QUEUED, "ev-1", AT).withRetryCount(101)));
        invalid(
                "repairCount",
                () -> WorkflowRules.transition(
                        created, Transition.to(QUEUED, "ev-1", AT).withRepairCount(-1)));
        invalid("occurredAt", () -> WorkflowRules.transition(created, QUEUED, "ev-1", Instant.MAX));
        refused(
                Code.INVALID_TRANSITION,
                Map.of("from", "created", "to", "running"),
                () -> WorkflowRules.transition(created, RUNNING, "not an id", Instant.MAX));
    }

    //
    @Test
    void aCheckpointIsAllowedBeforeTheWorkflowRunsAndKeepsItsStatus() {
        WorkflowState next = WorkflowRules.checkpoint(in(CREATED).build(), Stages.COMPLETE, "ev-1", AT);
        assertThat(next.status()).isEqualTo(CREATED);
        assertThat(next.currentStage()).contains("complete");
        assertThat(next.events())
                .containsExactly(new WorkflowEvent("ev-1", "wf-1", CREATED, CREATED, AT, Map.of("stage", "complete")));
    }

    //
    @Test
    void theStageInACheckpointsMetadataIsAlwaysTheStage() {
        Checkpoint progress = Checkpoint.at("plan", "ev-1", AT).withMetadata(Map.of("stage", "x", "note", "y"));
        WorkflowState next = WorkflowRules.checkpoint(in(RUNNING).build(), progress);
        assertThat(next.events().get(0).metadata()).isEqualTo(Map.of("stage", "plan", "note", "y"));
    }

    @Test
    void aCheckpointHasRoomFor31EntriesBesideItsStage() {
        WorkflowState state = in(RUNNING).build();
        Checkpoint progress = Checkpoint.at("plan", "ev-1", AT);
        assertThat(WorkflowRules.checkpoint(state, progress.withMetadata(entries(31)))
                        .events())
                .hasSize(1);
        invalid("metadata", () -> WorkflowRules.checkpoint(state, progress.withMetadata(entries(32))));
    }

    //
    @Test
    void whatACheckpointGivesReplacesAndIsNotMerged() {
        WorkflowState state = in(RUNNING)
                .gateEvidenceFingerprints(Set.of(fingerprint('a')))
                .compatibilityFingerprints(Map.of("a", fingerprint('a')))
                .cancellationRequested(true)
                .build();
        Checkpoint progress = Checkpoint.at("plan", "ev-1", AT);

        WorkflowState kept = WorkflowRules.checkpoint(state, progress);
        assertThat(kept.gateEvidenceFingerprints()).containsExactly(fingerprint('a'));
        assertThat(kept.compatibilityFingerprints()).containsOnlyKeys("a");
        assertThat(kept.cancellationRequested()).isTrue();

        WorkflowState replaced = WorkflowRules.checkpoint(
                state,
                progress.withCompatibilityFingerprints(Map.of("b", fingerprint('b')))
                        .withGateEvidenceFingerprints(Set.of(fingerprint('b')))
                        .withCancellationRequested(false));
        assertThat(replaced.compatibilityFingerprints()).containsOnlyKeys("b");
        assertThat(replaced.gateEvidenceFingerprints()).containsExactly(fingerprint('b'));
        assertThat(replaced.cancellationRequested()).isFalse();
    }

    @Test
    void aWorkflowThatIsOverTakesNoCheckpoint() {
        for (WorkflowStatus end : List.of(SUCCEEDED, FAILED, CLOSED)) {
            refused(
                    Code.INVALID_TRANSITION,
                    Map.of("workflow_id", "wf-1", "status", end.wire()),
                    () -> WorkflowRules.checkpoint(in(end).build(), "plan", "ev-1", AT));
        }
    }

    @Test
    void aCheckpointOfAnImpossibleStageIsRefused() {
        invalid("currentStage", () -> WorkflowRules.checkpoint(in(RUNNING).build(), "not an id", "ev-1", AT));
        invalid("currentStage", () -> WorkflowRules.checkpoint(in(RUNNING).build(), null, "ev-1", AT));
    }

    private static WorkflowStateBuilder in(WorkflowStatus status) {
        return WorkflowState.builder("wf-1", "req-1").status(status);
    }

    private static WorkflowEvent move(String id, WorkflowStatus from, WorkflowStatus to) {
        return new WorkflowEvent(id, "wf-1", from, to, AT, Map.of());
    }

    private static Map<String, String> entries(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
    }

    private static void refused(Code code, Map<String, String> details, Supplier<?> attempt) {
        assertThatThrownBy(attempt::get).isInstanceOfSatisfying(TransitionRefusedException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal.details()).isEqualTo(details);
            assertThat(refusal.retryable()).isFalse();
        });
    }

    private static void invalid(String field, Supplier<?> attempt) {
        assertThatThrownBy(attempt::get)
                .isInstanceOfSatisfying(
                        InvalidValueException.class,
                        refusal -> assertThat(refusal.field()).isEqualTo(field));
    }

    @Test
    void aRefusedMoveSaysWhichAreLegal() {
        WorkflowState created = WorkflowState.create("wf-1", "req-1");
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        assertThatThrownBy(() -> WorkflowRules.transition(created, RUNNING, "ev-1", at))
                .isInstanceOf(TransitionRefusedException.class)
                .hasMessage("cannot transition from created to running; from created: queued, failed, closed");
    }
}
