package io.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import java.time.Instant;
import java.util.ArrayList;
<<<<<<< HEAD
=======
import java.util.Collections;
>>>>>>> b9f4c13889a64e6065620440406bae62225fd39e
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
<<<<<<< HEAD
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
=======
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
>>>>>>> b9f4c13889a64e6065620440406bae62225fd39e

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

<<<<<<< HEAD
=======
    //
    @ParameterizedTest
    @ValueSource(strings = {"wf-1\n", "_a", ".a", "-a", "a:b", "", "\u0661a", "a b", "a/b", "\u00E9"})
    void anIdOfAnotherFormIsRefused(String id) {
        refused("workflowId", () -> WorkflowState.create(id, "req-1"));
        refused("requestId", () -> WorkflowState.create("wf-1", id));
        refused("currentStage", () -> some().currentStage(id).build());
        refused("eventId", () -> event(id, "wf-1", Map.of()));
        refused("workflowId", () -> event("ev-1", id, Map.of()));
        refused(
                "compatibilityFingerprints",
                () -> some().compatibilityFingerprints(Map.of(id, fingerprint('a')))
                        .build());
    }

    @Test
    void anIdHasAtMost128Characters() {
        String longest = "a".repeat(128);
        assertThat(WorkflowState.create(longest, longest).workflowId()).isEqualTo(longest);
        assertThat(some().currentStage(longest).build().currentStage()).contains(longest);
        refused("workflowId", () -> WorkflowState.create(longest + "a", "req-1"));
        refused("requestId", () -> WorkflowState.create("wf-1", longest + "a"));
        refused("currentStage", () -> some().currentStage(longest + "a").build());
        refused("eventId", () -> event(longest + "a", "wf-1", Map.of()));
    }

    //
    @Test
    void aFingerprintOfAnotherFormIsRefused() {
        String hex = "f".repeat(64);
        for (String bad :
                List.of("sha256:" + "F".repeat(64), "sha256:" + hex.substring(1), "sha256:" + hex + "\n", hex)) {
            refused(
                    "tenantScopeFingerprint",
                    () -> some().tenantScopeFingerprint(bad).build());
            refused(
                    "evidenceFingerprints",
                    () -> some().evidenceFingerprints(Set.of(bad)).build());
            refused(
                    "gateEvidenceFingerprints",
                    () -> some().gateEvidenceFingerprints(Set.of(bad)).build());
            refused(
                    "compatibilityFingerprints",
                    () -> some().compatibilityFingerprints(Map.of("view", bad)).build());
        }
    }

    //
    @Test
    void countersAreFrom0To100() {
        assertThat(some().attempts(100).retryCount(100).repairCount(100).build().attempts())
                .isEqualTo(100);
        refused("attempts", () -> some().attempts(101).build());
        refused("attempts", () -> some().attempts(-1).build());
        refused("retryCount", () -> some().retryCount(101).build());
        refused("retryCount", () -> some().retryCount(-1).build());
        refused("repairCount", () -> some().repairCount(101).build());
        refused("repairCount", () -> some().repairCount(-1).build());
    }

    @Test
    void aBudgetIsWithinItsLimits() {
        WorkflowBudget budget = WorkflowBudget.DEFAULT;
        for (int edge : new int[] {1, 100}) {
            assertThat(budget.withMaxAttempts(edge)
                            .withMaxRetries(edge)
                            .withMaxRepairs(edge)
                            .maxRepairs())
                    .isEqualTo(edge);
        }
        assertThat(budget.withMaxEvents(1).maxEvents()).isEqualTo(1);
        assertThat(budget.withMaxEvents(10_000).maxEvents()).isEqualTo(10_000);
        for (int beyond : new int[] {0, 101}) {
            refused("maxAttempts", () -> budget.withMaxAttempts(beyond));
            refused("maxRetries", () -> budget.withMaxRetries(beyond));
            refused("maxRepairs", () -> budget.withMaxRepairs(beyond));
        }
        refused("maxEvents", () -> budget.withMaxEvents(0));
        refused("maxEvents", () -> budget.withMaxEvents(10_001));
    }

    //
    @Test
    void aDurationIsMoreThanNothingAndAtMostADay() {
        assertThat(WorkflowBudget.DEFAULT.withMaxDurationSeconds(86_400).maxDurationSeconds())
                .isEqualTo(86_400);
        assertThat(WorkflowBudget.DEFAULT
                        .withMaxDurationSeconds(Double.MIN_VALUE)
                        .maxDurationSeconds())
                .isPositive();
        for (double bad :
                new double[] {0, -0.0, -1, 86_400.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            refused("maxDurationSeconds", () -> WorkflowBudget.DEFAULT.withMaxDurationSeconds(bad));
        }
    }

    //
    @Test
    void anEventHasAtMost32EntriesOfMetadata() {
        assertThat(event("ev-1", "wf-1", entries(32)).metadata()).hasSize(32);
        refused("metadata", () -> event("ev-1", "wf-1", entries(33)));
    }

    @Test
    void metadataIsLimitedInCodePoints() {
        String face = "\uD83D\uDE00";
        Map<String, String> longest = Map.of(face.repeat(128), face.repeat(4_096));
        assertThat(event("ev-1", "wf-1", longest).metadata()).isEqualTo(longest);
        refused("metadata", () -> event("ev-1", "wf-1", Map.of(face.repeat(129), "")));
        refused("metadata", () -> event("ev-1", "wf-1", Map.of("a", face.repeat(4_097))));
        refused("metadata", () -> event("ev-1", "wf-1", Map.of("", "a")));
    }

    // B-21
    @Test
    void metadataHoldsNoLoneSurrogate() {
        refused("metadata", () -> event("ev-1", "wf-1", Map.of("a", "\uD800")));
        refused("metadata", () -> event("ev-1", "wf-1", Map.of("\uDC00", "a")));
    }

    // B-16, H39
    @ParameterizedTest
    @ValueSource(
            strings = {"password", "Password", "PROMPT", "api_key", "Api_Key", "session", "authorIzation", "CLIENT"})
    void metadataHasNoForbiddenNamesInWhateverCase(String name) {
        refused("metadata", () -> event("ev-1", "wf-1", Map.of(name, "hunter2")));
    }

    @Test
    void theWholeNameIsForbiddenAndNotAPartOfIt() {
        assertThat(event("ev-1", "wf-1", Map.of("token_count", "7", "sql_state", "57014"))
                        .metadata())
                .hasSize(2);
        assertThat(ForbiddenNames.ALL).hasSize(22);
    }

    @Test
    void evidenceSetsHaveAtMost1024Fingerprints() {
        assertThat(some().evidenceFingerprints(fingerprints(1_024)).build().evidenceFingerprints())
                .hasSize(1_024);
        refused(
                "evidenceFingerprints",
                () -> some().evidenceFingerprints(fingerprints(1_025)).build());
        assertThat(some().gateEvidenceFingerprints(fingerprints(1_024)).build().gateEvidenceFingerprints())
                .hasSize(1_024);
        refused(
                "gateEvidenceFingerprints",
                () -> some().gateEvidenceFingerprints(fingerprints(1_025)).build());
    }

    @Test
    void thereAreAtMost16CompatibilityFingerprints() {
        assertThat(some().compatibilityFingerprints(compatibility(16)).build().compatibilityFingerprints())
                .hasSize(16);
        refused(
                "compatibilityFingerprints",
                () -> some().compatibilityFingerprints(compatibility(17)).build());
    }

>>>>>>> b9f4c13889a64e6065620440406bae62225fd39e
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
<<<<<<< HEAD
=======
    void nullIsRefusedByTheNameOfTheField() {
        refused("workflowId", () -> WorkflowState.create(null, "req-1"));
        refused("status", () -> some().status(null).build());
        refused("budget", () -> some().budget(null).build());
        refused("events", () -> some().events(null).build());
        refused("events", () -> some().events(Collections.singletonList(null)).build());
        refused("evidenceFingerprints", () -> some().evidenceFingerprints(null).build());
        refused(
                "evidenceFingerprints",
                () -> some().evidenceFingerprints(new HashSet<>(List.of("x"))).build());
        refused(
                "compatibilityFingerprints",
                () -> some().compatibilityFingerprints(null).build());
        refused("deadlineAt", () -> some().deadlineAt(null).build());
        refused("metadata", () -> event("ev-1", "wf-1", null));
        refused("metadata", () -> event("ev-1", "wf-1", Collections.singletonMap("a", null)));
        refused("metadata", () -> event("ev-1", "wf-1", Collections.singletonMap(null, "a")));
    }

    @Test
>>>>>>> b9f4c13889a64e6065620440406bae62225fd39e
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

<<<<<<< HEAD
=======
    private static Map<String, String> entries(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v" + i));
    }

    private static Set<String> fingerprints(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> String.format("sha256:%064x", i))
                .collect(Collectors.toSet());
    }

    private static Map<String, String> compatibility(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> fingerprint('a')));
    }

>>>>>>> b9f4c13889a64e6065620440406bae62225fd39e
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
