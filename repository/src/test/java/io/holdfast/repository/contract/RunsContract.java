package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunEvent;
import io.holdfast.run.RunSummary;
import io.holdfast.run.RunUpdate;
import io.holdfast.run.Runs;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs and their events: what each operation answers, and what stands there afterwards. */
abstract class RunsContract extends Contract {

    private static final String LONGEST_ID = "\u00e9".repeat(Runs.MAX_ID_BYTES / 2);

    RunsContract(Environment environment) {
        super(environment);
    }

    private Run started(String id) {
        return ((RunCreation.Created) runs.create(id, Map.of("a", 1), Map.of("m", 1))).run();
    }

    private Run updated(Run read, RunChange change) {
        return ((RunUpdate.Updated) runs.update(read, change)).run();
    }

    private static RunChange second() {
        return RunChange.to("x")
                .merging(Map.of("b", 2))
                .logging(Map.of("type", "x", "v", 1))
                .logging(Map.of("v", 2));
    }

    @Test // R1
    void aNewRunIsRunningAndItsInputIsItsState() {
        Run run = started("r1");
        assertThat(run.revision()).isEqualTo(1);
        assertThat(run.status()).isEqualTo("running");
        assertThat(run.input()).isEqualTo(Map.of("a", 1L)).isEqualTo(run.state());
        assertThat(run.metadata()).isEqualTo(Map.of("m", 1L));
        assertThat(run.lastSeq()).isZero();
        assertThat(run.createdAt()).isEqualTo(run.updatedAt());
        assertThat(runs.find("r1")).contains(run);
    }

    @Test // R2
    void aSecondCreationLeavesTheStoredRunAsItIs() {
        Run run = started("r1");
        assertThat(runs.create("r1", Map.of("a", 1), Map.of("m", 1))).isEqualTo(new RunCreation.AlreadyCreated(run));
        assertThat(runs.create("r1", Map.of("a", 1), Map.of())).isEqualTo(new RunCreation.Taken(1));
        assertThat(runs.create("r1", Map.of("a", 1.0), Map.of("m", 1))).isEqualTo(new RunCreation.Taken(1));
        updated(run, second());
        assertThat(runs.create("r1", Map.of("a", 1), Map.of("m", 1))).isEqualTo(new RunCreation.Taken(2));
    }

    @Test // R4
    void anUpdateMergesTheStateAndLogsItsEvents() {
        Run read = started("r1");
        Run run = updated(read, second());
        assertThat(run.revision()).isEqualTo(2);
        assertThat(run.status()).isEqualTo("x");
        assertThat(run.state()).isEqualTo(Map.of("a", 1L, "b", 2L));
        assertThat(run.input()).isEqualTo(read.input());
        assertThat(run.metadata()).isEqualTo(read.metadata());
        assertThat(run.createdAt()).isEqualTo(read.createdAt());
        assertThat(run.lastSeq()).isEqualTo(2);
        assertThat(runs.find("r1")).contains(run);
        assertThat(runs.events("r1", 0, 500))
                .containsExactly(
                        new RunEvent(1, "x", Map.of("type", "x", "v", 1L), run.updatedAt()),
                        new RunEvent(2, RunEvent.CUSTOM, Map.of("v", 2L), run.updatedAt()));
    }

    @Test // R5
    void anUpdateFromAnOldRevisionWritesNothing() {
        Run read = started("r1");
        Run run = updated(read, second());
        assertThat(runs.update(read, second())).as("the very same").isEqualTo(new RunUpdate.AlreadyApplied(run));
        assertThat(runs.update(read, RunChange.to("x"))).isEqualTo(new RunUpdate.RevisionConflict(1, 2));
        assertThat(runs.update(read, second().logging(Map.of()))).isEqualTo(new RunUpdate.RevisionConflict(1, 2));
        assertThat(runs.events("r1", 0, 500)).hasSize(2);
        updated(run, RunChange.to("y"));
        assertThat(runs.update(read, second())).as("overtaken").isEqualTo(new RunUpdate.RevisionConflict(1, 3));
    }

    @Test // R6
    void anEventThatIsNoneKeepsTheWholeUpdateFromHappening() {
        Run run = updated(started("r1"), RunChange.to("x"));
        RunChange bad = RunChange.to("y").logging(Map.of()).logging(Map.of());
        refused(() -> runs.update(run, bad.logging(Map.of("type", 7))), "events[2].type must be a text");
        refused(() -> runs.update(run, bad.logging(Collections.singletonMap("type", null))), "events[2].type");
        refused(() -> runs.update(run, bad.logging(Map.of("type", "a\0"))), "events[2].type");
        refused(() -> runs.update(run, bad.logging(Map.of("type", ""))), "events[2].type must be 1 to 128 bytes");
        refused(() -> runs.update(run, bad.logging(Map.of("v", Double.NaN))), "events[2] must hold no NaN", "/v");
        assertThat(runs.find("r1")).contains(run);
    }

    @Test // R7
    void aKeySetToNullStaysAndAnEmptyUpdateStillMovesTheRevision() {
        Run run = updated(started("r1"), RunChange.to("x").merging(Collections.singletonMap("a", null)));
        assertThat(run.state()).isEqualTo(Collections.singletonMap("a", null));
        Run moved = updated(run, RunChange.to("x"));
        assertThat(moved.revision()).isEqualTo(3);
        assertThat(moved.state()).isEqualTo(run.state());
        assertThat(runs.find("r1")).contains(moved);
    }

    @Test // R9
    void aRunThatIsNotThereIsNeitherUpdatedNorLogged() {
        Run gone = started("r1");
        environment.changeRow("delete from {run} where scope = ?", scope.id());
        assertThat(runs.find("r1")).isEmpty();
        assertThat(runs.update(gone, second())).isEqualTo(new RunUpdate.NotFound());
        assertThat(runs.append("r1", List.of(Map.of()))).isEqualTo(new Append.NotFound());
        assertThat(runs.append(gone, List.of(Map.of()))).isEqualTo(new Append.NotFound());
        assertThat(runs.events("r1", 0, 500)).isEmpty();
        Run anew = started("r1");
        assertThat(runs.update(gone, second())).as("another incarnation").isEqualTo(new RunUpdate.NotFound());
        assertThat(runs.append(gone, List.of(Map.of()))).isEqualTo(new Append.NotFound());
        assertThat(runs.events("r1", 0, 500)).isEmpty();
        assertThat(runs.find("r1")).contains(anew);
    }

    @Test // R10
    void theSameIdInTwoScopesIsTwoRuns() {
        Tenant other = new Tenant(environment, io.holdfast.Scope.of("other-" + UUID.randomUUID()));
        Run run = started("r1");
        assertThat(other.runs().find("r1")).isEmpty();
        assertThat(other.runs().append("r1", List.of(Map.of()))).isEqualTo(new Append.NotFound());
        assertThat(other.runs().append(run, List.of(Map.of()))).isEqualTo(new Append.NotFound());
        assertThat(other.runs().update(run, second())).isEqualTo(new RunUpdate.NotFound());
        assertThat(other.runs().create("r1", Map.of(), Map.of())).isInstanceOf(RunCreation.Created.class);
        updated(run, second());
        assertThat(other.runs().events("r1", 0, 500)).isEmpty();
        assertThat(other.runs().list("", 10)).extracting(RunSummary::revision).containsExactly(1L);
    }

    @Test // R11
    void textsComeBackAsTheyWereAndWhatIsNoTextIsRefused() {
        Map<String, Object> odd = Map.of("nul\0", "a\0b", "quote", "\"\\{},\n\u2028\ud83d\ude00", "n", 1e16);
        Run run = ((RunCreation.Created) runs.create("r/1#2", odd, odd)).run();
        assertThat(runs.append("r/1#2", List.of(odd))).isInstanceOf(Append.Appended.class);
        assertThat(runs.find("r/1#2").orElseThrow().state()).isEqualTo(odd).isEqualTo(run.metadata());
        assertThat(runs.events("r/1#2", 0, 1).get(0).payload()).isEqualTo(odd);
        refused(() -> runs.create("a\0b", Map.of(), Map.of()), "id must");
        refused(() -> runs.create("\ud800", Map.of(), Map.of()), "id must");
        refused(() -> runs.create("r", Map.of("k", "\ud800"), Map.of()), "state must hold no lone surrogate", "/k");
        refused(() -> runs.create("r", Map.of(), Map.of("k", List.of("\udc00"))), "metadata must", "/k/0");
        refused(() -> runs.create("r", Map.of("k", Double.NaN), Map.of()), "state must hold no NaN", "/k");
        refused(() -> runs.create("r", Map.of("k", new Object()), Map.of()), "state must be made of maps", "/k");
        assertThat(runs.find("a\0b")).isEmpty();
        assertThat(runs.events("", 0, 1)).isEmpty();
    }

    @Test
    void theFirstOfManyEventsFollowsOnTheLastOfThoseBefore() {
        started("r1");
        List<Map<String, Integer>> thousand = IntStream.range(0, Runs.MAX_EVENTS)
                .mapToObj(i -> Map.of("i", i))
                .toList();
        Append.Appended first = (Append.Appended) runs.append("r1", thousand);
        Append.Appended second = (Append.Appended) runs.append("r1", List.of(Map.of("i", 1_000)));
        assertThat(first.firstSeq()).isEqualTo(1);
        assertThat(first.lastSeq()).isEqualTo(1_000);
        assertThat(second.firstSeq()).isEqualTo(1_001).isEqualTo(second.lastSeq());
        assertThat(second.at()).isAfterOrEqualTo(first.at());
        Run run = runs.find("r1").orElseThrow();
        assertThat(run.revision()).as("an event is no update").isEqualTo(1);
        assertThat(run.lastSeq()).isEqualTo(1_001);
        assertThat(run.updatedAt()).isEqualTo(second.at());
        List<RunEvent> page = runs.events("r1", 400, 601);
        assertThat(page).extracting(RunEvent::seq).first().isEqualTo(401L);
        assertThat(page).hasSize(601).allSatisfy(e -> assertThat(e.payload()).containsEntry("i", e.seq() - 1));
        assertThat(runs.events("r1", 1_001, 10)).isEmpty();
        assertThat(runs.events("r1", Long.MAX_VALUE, 10)).isEmpty();
        assertThat(runs.events("r1", -1, 1)).extracting(RunEvent::seq).containsExactly(1L);
    }

    @Test
    void anEventIsOfTheRunThatWasReadWhateverItsRevisionIsByNow() {
        Run read = started("r1");
        updated(read, second());
        assertThat(runs.append(read, List.of(Map.of("v", 3))))
                .isInstanceOfSatisfying(
                        Append.Appended.class,
                        answer -> assertThat(answer.firstSeq()).isEqualTo(3).isEqualTo(answer.lastSeq()));
        assertThat(runs.append("r1", List.of(Map.of("v", 4)))).isInstanceOf(Append.Appended.class);
        assertThat(runs.find("r1").orElseThrow().revision()).isEqualTo(2);
        assertThat(runs.events("r1", 2, 10))
                .extracting(RunEvent::payload)
                .containsExactly(Map.of("v", 3L), Map.of("v", 4L));
        refused(() -> runs.append(read, List.of()), "events must be 1 to 1000");
    }

    @Test // a finished run can be kept from running again
    void aChangeForbidsTheStatusesThatItMayNotFollowOn() {
        Run done = updated(started("r1"), RunChange.to("completed"));
        RunChange again = RunChange.to("running").unless("failed", "completed");
        assertThat(runs.update(done, again)).isEqualTo(new RunUpdate.Forbidden("completed"));
        assertThat(runs.update(done, again.unless("odd \"\\,{}"))).isInstanceOf(RunUpdate.Updated.class);
        assertThat(runs.update(done, RunChange.to("x").unless("running")))
                .as("that comes before the revision")
                .isEqualTo(new RunUpdate.Forbidden("running"));
    }

    @Test
    void runsAreListedByTheirIdsInByteOrder() {
        for (String id : List.of("b", "a", "\ud83d\ude00", "\ue000", "B")) {
            started(id);
        }
        assertThat(runs.list("", 2)).extracting(RunSummary::id).containsExactly("B", "a");
        assertThat(runs.list("a", 10)).extracting(RunSummary::id).containsExactly("b", "\ue000", "\ud83d\ude00");
        Run run = runs.find("a").orElseThrow();
        assertThat(runs.list("B", 1))
                .containsExactly(new RunSummary("a", "running", 1, 0, run.createdAt(), run.updatedAt()));
    }

    @Test
    void eachLimitIsKeptAndOnePastItIsRefused() {
        String state = "x".repeat(Runs.MAX_STATE_BYTES - 8);
        Run run = ((RunCreation.Created) runs.create(LONGEST_ID, Map.of("a", state), Map.of("a", state))).run();
        assertThat(runs.find(LONGEST_ID)).contains(run);
        refused(() -> runs.create(LONGEST_ID + "x", Map.of(), Map.of()), "id must be 1 to 1024 bytes");
        refused(() -> runs.create("", Map.of(), Map.of()), "id must");
        refused(() -> runs.create("r", Map.of("ab", state), Map.of()), "state must be at most 1048576 bytes");
        refused(() -> runs.create("r", Map.of(), Map.of("ab", state)), "metadata must be at most 1048576 bytes");
        refused(() -> runs.update(run, RunChange.to("x").merging(Map.of("b", 1))), "state must be at most");
        String event = "x".repeat(Runs.MAX_EVENT_BYTES - 8);
        assertThat(runs.append(LONGEST_ID, List.of(Map.of("a", event)))).isInstanceOf(Append.Appended.class);
        refused(() -> runs.append(LONGEST_ID, List.of(Map.of("ab", event))), "events[0] must be at most 262144");
        refused(() -> runs.append(LONGEST_ID, List.of()), "events must be 1 to 1000");
        refused(() -> runs.append(LONGEST_ID, Collections.nCopies(1_001, Map.of())), "events must be 1 to 1000");
        String type = "t".repeat(Runs.MAX_TYPE_BYTES);
        assertThat(runs.append(LONGEST_ID, List.of(Map.of("type", type)))).isInstanceOf(Append.Appended.class);
        refused(() -> runs.append(LONGEST_ID, List.of(Map.of("type", type + "t"))), "events[0].type must");
        refused(() -> runs.events(LONGEST_ID, 0, 0), "limit must be 1 to 5000");
        refused(() -> runs.events(LONGEST_ID, 0, 5_001), "limit must be 1 to 5000");
        refused(() -> runs.list("", 5_001), "limit must be 1 to 5000");
        refused(() -> RunChange.to(""), "status must");
        assertThat(updated(run, RunChange.to("\ud83d\ude00".repeat(Runs.MAX_STATUS)))
                        .lastSeq())
                .isEqualTo(2);
        refused(() -> RunChange.to("s".repeat(65)), "status must be 1 to 64 characters");
        refused(() -> RunChange.to("a\nb"), "status must");
    }

    @Test
    void aDamagedPayloadIsNamedAndNothingOfItIsShown() {
        started("r1");
        runs.append("r1", List.of(Map.of()));
        for (String damaged : List.of("[]", "{secret", "\"secret\"", "{\"a\":1,\"a\":2}")) {
            environment.changeRow("update {run} set metadata = ? where scope = ?", damaged, scope.id());
            assertThatThrownBy(() -> runs.find("r1"))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("run \"r1\" is damaged: metadata must")
                    .hasMessageNotContaining("secret");
        }
        environment.changeRow("update {run_event} set payload = '12' where scope = ?", scope.id());
        assertThatThrownBy(() -> runs.events("r1", 0, 1))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("payload must be a JSON object");
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... says) {
        assertThatThrownBy(call).isInstanceOf(InvalidValueException.class).hasMessageContainingAll(says);
    }

    @Test
    void aRunThatWasReadShowsNoPayload() {
        Map<String, Object> secret = new HashMap<>(Map.of("k", "secret"));
        Run run = ((RunCreation.Created) runs.create("r1", secret, secret)).run();
        RunChange change = RunChange.to("x").merging(secret).logging(secret);
        secret.put("k", "changed since");
        Run after = updated(run, change);
        assertThat(after.state()).containsEntry("k", "secret");
        assertThat(List.of(run, change, after, runs.events("r1", 0, 1)).toString())
                .doesNotContain("secret");
    }
}
