package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CREATED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.WorkflowPage;
import io.holdfast.workflow.WorkflowPage.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lists by status, label and age. */
abstract class SearchContract extends Contract {

    SearchContract(Environment environment) {
        super(environment);
    }

    private void labelled(String id, Map<String, String> labels) {
        assertThat(workflows.create(WorkflowState.create(id, "req-1"), labels)).isNotNull();
    }

    private void createdAt(String id, String age) {
        environment.changeRow(
                "update {workflow} set created_at = clock_timestamp() - cast(? as interval) where scope = ? and id = ?",
                age,
                scope.id(),
                id);
    }

    /** All pages, of two lines each. */
    private List<String> found(WorkflowFilter filter) {
        List<String> ids = new ArrayList<>();
        Optional<Place> next = Optional.empty();
        do {
            WorkflowPage page = workflows.search(filter, next, 2);
            page.lines().forEach(line -> ids.add(line.workflow().id()));
            next = page.next();
        } while (next.isPresent());
        return ids;
    }

    @Test
    void allAreListedOldestFirstPageByPage() {
        List.of("c", "a", "d", "b", "e").forEach(this::created);
        assertThat(found(WorkflowFilter.ALL)).containsExactly("c", "a", "d", "b", "e");
        createdAt("e", "1 day");
        assertThat(found(WorkflowFilter.ALL)).containsExactly("e", "c", "a", "d", "b");
    }

    @Test
    void whereTwoAreAsOldTheIdDecides() {
        List.of("c", "a", "b").forEach(this::created);
        Instant same = Instant.parse("2026-01-02T03:04:05.123456Z");
        List.of("a", "b", "c")
                .forEach(id -> environment.changeRow(
                        "update {workflow} set created_at = cast(? as timestamptz) where scope = ? and id = ?",
                        same.toString(),
                        scope.id(),
                        id));
        assertThat(found(WorkflowFilter.ALL)).containsExactly("a", "b", "c");
        assertThat(workflows
                        .search(WorkflowFilter.ALL, Optional.of(new Place(same, "b")), 2)
                        .lines())
                .singleElement()
                .satisfies(line -> assertThat(line.createdAt()).isEqualTo(same));
    }

    @Test // a cursor that is cut to milliseconds skips what is in the same one, or never ends
    void placesWithinAMillisecondAreToldApartWhateverComesAndGoesBetweenPages() {
        Map<String, String> times = Map.of(
                "c", "10:00:00.029058",
                "a", "10:00:00.029958",
                "d", "10:00:00.029999",
                "f", "10:00:00.03",
                "b", "10:00:00.03",
                "e", "10:00:00.03");
        times.keySet().forEach(this::created);
        times.forEach((id, time) -> environment.changeRow(
                "update {workflow} set created_at = cast(? as timestamptz) where scope = ? and id = ?",
                "2026-07-17T" + time + "Z",
                scope.id(),
                id));
        assertThat(found(WorkflowFilter.ALL)).containsExactly("c", "a", "d", "b", "e", "f");
        List<String> one = new ArrayList<>();
        Optional<Place> next = Optional.empty();
        do {
            WorkflowPage page = workflows.search(WorkflowFilter.ALL, next, 1);
            page.lines().forEach(line -> one.add(line.workflow().id()));
            next = page.next();
            if (one.size() == 2) { // the one that the place names goes, and one is made behind it
                environment.changeRow("delete from {workflow} where scope = ? and id = 'a'", scope.id());
                created("g");
            }
        } while (next.isPresent());
        assertThat(one).containsExactly("c", "a", "d", "b", "e", "f", "g");
    }

    @Test
    void aStatusIsTheOneThatIsStoredNow() {
        created("new");
        running("busy");
        running("busy-too");
        Workflow queued = created("queued");
        updated(queued, moved(queued, QUEUED));
        assertThat(found(WorkflowFilter.ALL.withStatus(CREATED))).containsExactly("new");
        assertThat(found(WorkflowFilter.ALL.withStatus(RUNNING))).containsExactly("busy", "busy-too");
        assertThat(found(WorkflowFilter.ALL.withStatus(QUEUED))).containsExactly("queued");
    }

    @Test
    void labelsAreAllToBeThereAndEqual() {
        labelled("a", Map.of("team", "blue", "tier", "1"));
        labelled("b", Map.of("team", "blue", "tier", "2"));
        labelled("c", Map.of("team", "red", "tier", "1"));
        labelled("d", Map.of("team", ""));
        labelled("e", Map.of());
        WorkflowFilter blue = WorkflowFilter.ALL.withLabel("team", "blue");
        assertThat(found(blue)).containsExactly("a", "b");
        assertThat(found(blue.withLabel("tier", "2"))).containsExactly("b");
        assertThat(found(blue.withStatus(CREATED))).containsExactly("a", "b");
        assertThat(found(blue.withStatus(RUNNING))).isEmpty();
        assertThat(found(WorkflowFilter.ALL.withLabel("team", ""))).containsExactly("d");
        assertThat(found(WorkflowFilter.ALL.withLabel("team", "Blue"))).isEmpty();
    }

    @Test
    void labelsThatJsonWouldEscapeAreFound() {
        String odd = "it's \"quoted\" \\ 100% é 漢 😀";
        labelled("odd", Map.of("text", odd));
        assertThat(found(WorkflowFilter.ALL.withLabel("text", odd))).containsExactly("odd");
        assertThat(stored("odd").labels()).containsEntry("text", odd);
    }

    @Test
    void ageIsCountedByTheDatabasesClockFromTheCreation() {
        List.of("old", "older", "new").forEach(this::created);
        createdAt("old", "2 days");
        createdAt("older", "3 days");
        Duration day = Duration.ofDays(1);
        assertThat(found(WorkflowFilter.ALL.olderThan(day))).containsExactly("older", "old");
        assertThat(found(WorkflowFilter.ALL.youngerThan(day))).containsExactly("new");
        assertThat(found(WorkflowFilter.ALL
                        .olderThan(day)
                        .youngerThan(day.multipliedBy(2).plusHours(1))))
                .containsExactly("old");
        assertThat(found(WorkflowFilter.ALL.withStatus(CREATED).olderThan(day))).containsExactly("older", "old");
    }

    @Test
    void aWorkflowThatIsRemovedIsNotFoundByItsLabelsAndMadeAnewByItsNewOnes() {
        labelled("wf", Map.of("team", "blue"));
        Workflow workflow = stored("wf");
        updated(workflow, moved(workflow, io.holdfast.state.WorkflowStatus.FAILED));
        assertThat(cleanup.pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)).workflows())
                .isEqualTo(1);
        assertThat(found(WorkflowFilter.ALL.withLabel("team", "blue"))).isEmpty();
        labelled("wf", Map.of("team", "red"));
        assertThat(found(WorkflowFilter.ALL.withLabel("team", "blue"))).isEmpty();
        assertThat(found(WorkflowFilter.ALL.withLabel("team", "red"))).containsExactly("wf");
    }

    @Test
    void anotherScopesAreNeverListed() {
        labelled("mine", Map.of("team", "blue"));
        Tenant other = new Tenant(environment, io.holdfast.Scope.of(scope.id() + "-other"));
        other.workflows().create(WorkflowState.create("theirs", "req-1"), Map.of("team", "blue"));
        assertThat(found(WorkflowFilter.ALL.withLabel("team", "blue"))).containsExactly("mine");
        assertThat(found(WorkflowFilter.ALL)).containsExactly("mine");
        assertThat(found(WorkflowFilter.ALL.withStatus(CREATED))).containsExactly("mine");
    }

    @Test
    void aFilterThatCannotBeIsRefusedByItsField() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 33; i++) {
            many.put("l" + i, "v");
        }
        assertThatThrownBy(() -> new WorkflowFilter(Optional.empty(), many, Optional.empty(), Optional.empty()))
                .hasMessage("labels must have at most 32 entries");
        assertThatThrownBy(() -> WorkflowFilter.ALL.withLabel("no space", "v"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("labels must ");
        assertThatThrownBy(() -> WorkflowFilter.ALL.olderThan(Duration.ofDays(-1)))
                .hasMessage("minAge must be 0 to 36500 days");
        assertThatThrownBy(() -> workflows.search(WorkflowFilter.ALL, Optional.empty(), 1_001))
                .hasMessage("limit must be 1 to 1000");
        assertThatThrownBy(() -> workflows.search(WorkflowFilter.ALL, Optional.of(new Place(AT, "x".repeat(129))), 1))
                .hasMessageStartingWith("after must ");
    }
}
