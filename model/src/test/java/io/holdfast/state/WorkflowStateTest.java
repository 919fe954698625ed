package io.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkflowStateTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aCreatedWorkflowHasTheDefaultsAndNothingElse() {
        WorkflowState state = WorkflowState.create("wf-1", "req-1");

        assertThat(state.status()).isEqualTo(WorkflowStatus.CREATED);
        assertThat(state.budget()).isEqualTo(new WorkflowBudget(3, 100, 3, 1, 300));
        assertThat(state.tenantScopeFingerprint()).isEmpty();
        assertThat(state.events()).isEmpty();
        assertThat(state.toBuilder().build()).isEqualTo(state);
    }

    @Test
    void aStateTakesTheFingerprintThatItsScopeAsksFor() {
        Scope scope = Scope.ofFingerprint(fingerprint('a'));
        assertThat(WorkflowState.create(scope, "wf-1", "req-1").tenantScopeFingerprint())
                .contains(fingerprint('a'));
        assertThat(WorkflowState.create(Scope.of("tenant-7"), "wf-1", "req-1").tenantScopeFingerprint())
                .isEmpty();
    }

    // A-19, H48
    @Test
    void whatIsChangedAfterwardsDoesNotChangeTheState() {
        Map<String, String> metadata = new HashMap<>(Map.of("a", "1"));
        List<WorkflowEvent> events = new ArrayList<>(List.of(event("ev-1", "wf-1", metadata)));
        Set<String> evidence = new HashSet<>(Set.of(fingerprint('a')));
        Map<String, String> compatibility = new HashMap<>(Map.of("view", fingerprint('a')));
        WorkflowState state = some().events(events)
                .evidenceFingerprints(evidence)
                .gateEvidenceFingerprints(evidence)
                .compatibilityFingerprints(compatibility)
                .build();
        String before = Snapshots.write(state);

        metadata.put("password", "hunter2");
        events.clear();
        evidence.add("anything");
        compatibility.clear();

        assertThat(Snapshots.write(state)).isEqualTo(before);
    }

    // H48
    @Test
    void whatAStateHandsOutCannotBeChanged() {
        WorkflowState state = some().events(List.of(event("ev-1", "wf-1", Map.of("a", "1"))))
                .evidenceFingerprints(Set.of(fingerprint('a')))
                .compatibilityFingerprints(Map.of("view", fingerprint('a')))
                .build();
        unchangeable(() -> state.events().remove(0));
        unchangeable(() -> state.events().get(0).metadata().remove("a"));
        unchangeable(() -> state.evidenceFingerprints().remove(fingerprint('a')));
        unchangeable(() -> state.evidenceFingerprints().add(fingerprint('b')));
        unchangeable(() -> {
            var iterator = state.evidenceFingerprints().iterator();
            iterator.next();
            iterator.remove();
        });
        unchangeable(() -> state.compatibilityFingerprints().put("view", fingerprint('b')));
        unchangeable(() ->
                state.compatibilityFingerprints().entrySet().iterator().next().setValue("x"));
    }

    @Test
    void aSetOfFingerprintsIsEqualToAnyOther() {
        Set<String> ab = Set.of(fingerprint('b'), fingerprint('a'));
        Set<String> kept = some().evidenceFingerprints(ab).build().evidenceFingerprints();
        assertThat(kept).isEqualTo(ab).hasSameHashCodeAs(ab).containsExactly(fingerprint('a'), fingerprint('b'));
        assertThat(ab).isEqualTo(kept);
        assertThat(kept.contains(fingerprint('b'))).isTrue();
        assertThat(kept.contains(fingerprint('c'))).isFalse();
    }

    //
    @Test
    void anEventOfAnotherWorkflowIsRefused() {
        refused(
                "events",
                () -> some().events(List.of(event("ev-1", "wf-2", Map.of()))).build());
    }

    @Test
    void anyStatusAndAnyHistoryCanBeConstructed() {
        WorkflowEvent last = event("ev-1", "wf-1", Map.of());
        WorkflowState state = some().status(WorkflowStatus.SUCCEEDED)
                .attempts(7)
                .budget(WorkflowBudget.DEFAULT.withMaxEvents(1).withMaxAttempts(1))
                .events(List.of(last, last))
                .build();
        assertThat(state.events()).hasSize(2);
    }

    @Test
    void timesAreCutToMicroseconds() {
        Instant fine = Instant.parse("2026-01-01T00:00:00.123456789Z");
        assertThat(some().deadlineAt(fine).build().deadlineAt()).contains(Instant.parse("2026-01-01T00:00:00.123456Z"));
        WorkflowEvent event =
                new WorkflowEvent("ev-1", "wf-1", WorkflowStatus.CREATED, WorkflowStatus.QUEUED, fine, Map.of());
        assertThat(event.occurredAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00.123456Z"));
        refused("deadlineAt", () -> some().deadlineAt(Instant.MAX).build());
        refused(
                "occurredAt",
                () -> new WorkflowEvent(
                        "ev-1", "wf-1", WorkflowStatus.CREATED, WorkflowStatus.QUEUED, Instant.MIN, Map.of()));
    }

    @Test
    void neitherStateNorEventPrintsItsMetadata() {
        WorkflowEvent event = event("ev-1", "wf-1", Map.of("note", "hunter2"));
        assertThat(event.toString()).contains("ev-1", "created to queued").doesNotContain("hunter2", "note");
        assertThat(some().events(List.of(event)).build().toString())
                .contains("wf-1")
                .doesNotContain("hunter2", "note");
        assertThat(Transition.to(WorkflowStatus.QUEUED, "ev-1", AT)
                        .withMetadata(Map.of("note", "hunter2"))
                        .toString())
                .doesNotContain("hunter2", "note");
        assertThat(Checkpoint.at("plan", "ev-1", AT)
                        .withMetadata(Map.of("note", "hunter2"))
                        .toString())
                .doesNotContain("hunter2", "note");
    }

    @Test
    void aStatusIsKnownByItsLowerCaseName() {
        for (WorkflowStatus status : WorkflowStatus.values()) {
            assertThat(WorkflowStatus.of(status.wire())).isEqualTo(status);
        }
        assertThat(WorkflowStatus.FAILED.wire()).isEqualTo("failed");
        refused("status", () -> WorkflowStatus.of("Failed"));
        refused("status", () -> WorkflowStatus.of(null));
        assertThat(IntStream.range(0, 6)
                        .mapToObj(i -> WorkflowStatus.values()[i])
                        .filter(WorkflowStatus::isTerminal))
                .containsExactly(WorkflowStatus.SUCCEEDED, WorkflowStatus.FAILED, WorkflowStatus.CLOSED);
    }

    private static WorkflowStateBuilder some() {
        return WorkflowState.builder("wf-1", "req-1");
    }

    private static WorkflowEvent event(String id, String workflowId, Map<String, String> metadata) {
        return new WorkflowEvent(id, workflowId, WorkflowStatus.CREATED, WorkflowStatus.QUEUED, AT, metadata);
    }

    static String fingerprint(char digit) {
        return "sha256:" + String.valueOf(digit).repeat(64);
    }

    private static void unchangeable(Runnable change) {
        assertThatThrownBy(change::run).isInstanceOf(UnsupportedOperationException.class);
    }

    private static void refused(String field, Supplier<?> attempt) {
        assertThatThrownBy(attempt::get)
                .isInstanceOfSatisfying(
                        InvalidValueException.class,
                        refusal -> assertThat(refusal.field()).isEqualTo(field))
                .hasMessageNotContaining("hunter2");
    }
}
