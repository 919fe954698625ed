package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointSummary;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.checkpoint.Fork;
import io.holdfast.checkpoint.HistoryEntry;
import io.holdfast.checkpoint.Purged;
import io.holdfast.checkpoint.RunIdentity;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.checkpoint.Waiting;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories and lists of runs, page by page, and the end of runs that have ended. */
abstract class CheckpointListsContract extends CheckpointScene {

    private static final List<String> IN_ORDER =
            List.of("p/a#2", "p/a#2/x#1", "p/a#2[9]", "p/a#2[10]", "p/a#2.2", "p/a#2.2[0]", "p/a#10", "p/b#1", "p/zz");

    CheckpointListsContract(Environment environment) {
        super(environment);
    }

    private void child(String parent, String runId) {
        created(new RunStart(runId, Optional.of(parent), Optional.empty()), first());
    }

    private List<String> children(String parent) {
        return checkpoints.children(parent, "", 100).stream()
                .map(CheckpointSummary::runId)
                .toList();
    }

    @Test
    void aHistoryIsReadPageByPage() {
        saved("r", 5);
        assertThat(checkpoints.history("r", 0, 100))
                .extracting(HistoryEntry::revision)
                .containsExactly(2L, 3L, 4L, 5L, 6L);
        List<HistoryEntry> page = checkpoints.history("r", 3, 2);
        assertThat(page).extracting(HistoryEntry::revision).containsExactly(4L, 5L);
        assertThat(page.get(0).checkpoint().state()).isEqualTo(state(4));
        assertThat(page.get(0).savedAt()).isBefore(page.get(1).savedAt());
        assertThat(checkpoints.history("r", 6, 10)).isEmpty();
        assertThat(checkpoints.history("r", Long.MAX_VALUE, 10)).isEmpty();
        assertThat(checkpoints.history("nobody", 0, 10)).isEmpty();
        assertThat(checkpoints.history("no\0id", 0, 10)).isEmpty();
    }

    @Test // W16
    void theRunsBelowOneAreThoseWhoseIdsBeginWithItsOwnToTheByte() {
        child("par", "par/a#10");
        child("par", "par/a#2");
        child("PAR", "PAR/a#1");
        child("par%", "par%/a#1");
        child("pa_", "pa_/a#1");
        reservedRun("par");
        reservedRun("par0");
        reservedRun("par#1");
        assertThat(children("par")).containsExactly("par/a#2", "par/a#10");
        assertThat(children("par%")).containsExactly("par%/a#1");
        assertThat(children("par/a#2")).isEmpty();
        assertThat(children("pa")).isEmpty();
        assertThat(children("")).isEmpty();
    }

    @Test // W17
    void theRunsBelowOneComeInTheOrderOfTheirSteps() {
        List<String> shuffled = new ArrayList<>(IN_ORDER);
        Collections.reverse(shuffled);
        shuffled.forEach(id -> child("p", id));
        assertThat(children("p")).isEqualTo(IN_ORDER);
        List<String> paged = new ArrayList<>();
        for (String after = ""; ; ) {
            List<CheckpointSummary> page = checkpoints.children("p", after, 2);
            if (page.isEmpty()) {
                break;
            }
            page.forEach(run -> paged.add(run.runId()));
            after = paged.get(paged.size() - 1);
        }
        assertThat(paged).isEqualTo(IN_ORDER);
        assertThat(children("p/a#2")).containsExactly("p/a#2/x#1");
    }

    @Test
    void namesWithMoreThanOneMeaningAreStillInOneOrder() {
        List<String> odd = List.of(
                "q/a",
                "q/a/b#1",
                "q/a#0",
                "q/a b",
                "q/a!",
                "q/a#",
                "q/a#01",
                "q/a#2.1",
                "q/a#x",
                "q/a#1#2",
                "q/\u00e9");
        odd.forEach(id -> child("q", id));
        assertThat(children("q")).hasSize(odd.size()).containsExactlyInAnyOrderElementsOf(odd);
        assertThat(children("q")).startsWith("q/a", "q/a/b#1", "q/a#0").endsWith("q/\u00e9");
    }

    @Test
    void aSummarySaysWhereARunStands() {
        SavedCheckpoint run = saved("r", 2);
        CheckpointSummary summary = checkpoints.incomplete(Optional.empty(), 1).get(0);
        assertThat(summary)
                .isEqualTo(new CheckpointSummary(
                        "r", DEFINITION, "running", Optional.of("ship"), 2, 3, run.createdAt(), run.updatedAt()));
    }

    @Test // W21, W18: by creation and id, and only runs that stand by themselves
    void whatIsLeftBehindIsListedOldestFirst() {
        for (String id : List.of("c", "a", "b", "d")) {
            reservedRun(id);
        }
        child("a", "a/x#1");
        completed("done");
        created(RunStart.of("waits"), first().paused(new Waiting.ForAnswer("i")));
        environment.changeRow(
                "update {checkpoint} set created_at = (select created_at from {checkpoint} where scope = ? and run_id = 'a')"
                        + " where scope = ? and run_id = 'b'",
                scope.id(),
                scope.id());
        assertThat(incomplete(Optional.empty(), 10)).containsExactly("c", "a", "b", "d");
        List<CheckpointSummary> page = checkpoints.incomplete(Optional.empty(), 2);
        assertThat(page).extracting(CheckpointSummary::runId).containsExactly("c", "a");
        assertThat(incomplete(Optional.of(page.get(1).place()), 2)).containsExactly("b", "d");
        assertThat(incomplete(Optional.empty(), 0)).isEmpty();
        assertThat(incomplete(Optional.empty(), -1)).isEmpty();
    }

    private List<String> incomplete(Optional<CheckpointSummary.Place> after, int limit) {
        return checkpoints.incomplete(after, limit).stream()
                .map(CheckpointSummary::runId)
                .toList();
    }

    @Test
    void aPageGoesOnBehindARunThatIsGone() {
        for (String id : List.of("a", "b", "c")) {
            reservedRun(id);
            child("p", "p/" + id + "#1");
        }
        Optional<CheckpointSummary.Place> second =
                Optional.of(checkpoints.incomplete(Optional.empty(), 2).get(1).place());
        environment.changeRow("delete from {checkpoint} where scope = ? and run_id = 'b'", scope.id());
        environment.changeRow("delete from {checkpoint} where scope = ? and run_id = 'p/b#1'", scope.id());
        assertThat(incomplete(second, 10)).containsExactly("c");
        assertThat(checkpoints.children("p", "p/b#1", 10))
                .extracting(CheckpointSummary::runId)
                .containsExactly("p/c#1");
    }

    @Test // W19, 2.10 7: those somebody is at do not fill the page
    void aRunWhoseLeaseIsHeldIsNotLeftBehind() {
        List<Fence> fences = new ArrayList<>();
        for (String id : List.of("r1", "r2", "r3", "r4")) {
            reservedRun(id);
            fences.add(leased(id));
        }
        reservedRun("alone");
        granted("alone", "worker"); // of a workflow, not of the run
        expire(LeaseKey.ofRun("r2"));
        leases.release(LeaseKey.ofRun("r3"), fences.get(2));
        assertThat(incomplete(Optional.empty(), 3)).containsExactly("r2", "r3", "alone");
    }

    @Test // W18: refused where it would be mistaken for a child
    void aSlashMakesAChild() {
        assertThatThrownBy(() -> RunStart.of("top/with/slash"))
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo("runId"));
        child("top", "top/with/slash");
        assertThat(incomplete(Optional.empty(), 10)).isEmpty();
        assertThat(children("top")).containsExactly("top/with/slash");
    }

    @Test // 2.4
    void identitiesTellWhichDefinitionAndWithWhichItBegan() {
        reservedRun("fresh");
        SavedCheckpoint run = saved("r \"\\{,", 1);
        Checkpoint migrated = new Checkpoint(
                OTHER, run.checkpoint().status(), run.checkpoint().node(), 1, Optional.empty(), state(1), state(2));
        checkpoints.overwrite(run, migrated);
        assertThat(checkpoints.identities(List.of("fresh", "nobody", "r \"\\{,", "fresh", "no\0id")))
                .containsOnlyKeys("fresh", "r \"\\{,")
                .containsEntry("fresh", new RunIdentity(DEFINITION, Optional.empty()))
                .containsEntry("r \"\\{,", new RunIdentity(OTHER, Optional.of("1.0.0")));
        assertThat(checkpoints.identities(List.of())).isEmpty();
    }

    @Test // W23, 2.10 9: by age, only what has ended and nobody is at
    void aPurgeRemovesWhatHasEndedLongAgo() {
        saved("alive", 2);
        completed("old");
        completed("young");
        completed("held");
        environment.changeRow(
                "update {checkpoint} set updated_at = updated_at - interval '2 hours' where scope = ? and run_id = 'old'",
                scope.id());
        environment.changeRow(
                "update {checkpoint} set updated_at = updated_at - interval '3 hours' where scope = ? and run_id = 'held'",
                scope.id());
        Fence fence = leased("held");
        assertThat(checkpoints.purge(Duration.ofHours(1), 0, 10)).isEqualTo(new Purged(1, 2));
        assertThat(checkpoints.find("old")).isEmpty();
        leases.release(LeaseKey.ofRun("held"), fence);
        assertThat(checkpoints.purge(Duration.ZERO, 0, 1)).isEqualTo(new Purged(1, 2));
        assertThat(checkpoints.find("held")).isEmpty();
        assertThat(checkpoints.purge(Duration.ZERO, 0, 10)).isEqualTo(new Purged(1, 2));
        assertThat(checkpoints.purge(Duration.ZERO, 0, 10)).isEqualTo(new Purged(0, 0));
        assertThat(checkpoints.history("alive", 0, 10)).hasSize(2);
    }

    @Test // the parent, recovered, would begin it anew
    void aFinishedPartOfAnUnfinishedRunIsNotPurged() {
        SavedCheckpoint parent = reservedRun("parent");
        SavedCheckpoint part = created(RunStart.child("parent", "part#1"), first());
        checkpoints.overwrite(part, part.checkpoint().completed(state("done")));
        assertThat(checkpoints.purge(Duration.ZERO, 0, 10)).isEqualTo(new Purged(0, 0));
        checkpoints.overwrite(parent, parent.checkpoint().completed(state("done")));
        assertThat(checkpoints.purge(Duration.ZERO, 0, 10).runs()).isEqualTo(2);
    }

    @Test // 2.8: by count, of runs that have ended
    void aPurgeMayKeepTheLastEntries() {
        saved("alive", 4);
        SavedCheckpoint run = saved("r", 4);
        SavedCheckpoint ended =
                ((Saving.Saved) checkpoints.overwrite(run, run.checkpoint().completed(state("end")))).saved();
        assertThat(checkpoints.purge(Duration.ZERO, 2, 10)).isEqualTo(new Purged(1, 4));
        assertThat(checkpoints.history("r", 0, 10))
                .extracting(HistoryEntry::revision)
                .containsExactly(5L, 6L);
        assertThat(foundRun("r")).isEqualTo(ended);
        assertThat(checkpoints.purge(Duration.ZERO, 2, 10)).isEqualTo(new Purged(0, 0));
        assertThat(checkpoints.history("alive", 0, 10)).hasSize(4);
    }

    /** A call that must be refused because of that field. */
    record Bad(String field, String what, Consumer<CheckpointListsContract> call) {
        @Override
        public String toString() {
            return field + ": " + what;
        }
    }

    static List<Bad> badCalls() {
        return List.of(
                new Bad("limit", "history 0", c -> c.checkpoints.history("r", 0, 0)),
                new Bad("limit", "history 101", c -> c.checkpoints.history("r", 0, Checkpoints.MAX_HISTORY_PAGE + 1)),
                new Bad("afterRevision", "-1", c -> c.checkpoints.history("r", -1, 1)),
                new Bad("limit", "children 0", c -> c.checkpoints.children("r", "", 0)),
                new Bad("limit", "children 1,001", c -> c.checkpoints.children("r", "", Checkpoints.MAX_PAGE + 1)),
                new Bad("after", "not below", c -> c.checkpoints.children("r", "q/a", 1)),
                new Bad("after", "no id", c -> c.checkpoints.children("r", "r/\0", 1)),
                new Bad("limit", "incomplete", c -> c.checkpoints.incomplete(Optional.empty(), 1_001)),
                new Bad("runIds", "1,001", c -> c.checkpoints.identities(Collections.nCopies(1_001, "r"))),
                new Bad("endedFor", "-1 ns", c -> c.checkpoints.purge(Duration.ofNanos(-1), 0, 1)),
                new Bad("endedFor", "for ever", c -> c.checkpoints.purge(Duration.ofSeconds(Long.MAX_VALUE), 0, 1)),
                new Bad("keptEntries", "-1", c -> c.checkpoints.purge(Duration.ZERO, -1, 1)),
                new Bad("limit", "purge 0", c -> c.checkpoints.purge(Duration.ZERO, 0, 0)),
                new Bad("limit", "purge 1,001", c -> c.checkpoints.purge(Duration.ZERO, 0, Checkpoints.MAX_PURGE + 1)),
                new Bad("revision", "fork of 0", c -> new Fork("r", 0, 0, false)));
    }

    @ParameterizedTest
    @MethodSource("badCalls")
    void oneBeyondALimitIsRefusedByName(Bad bad) {
        assertThatThrownBy(() -> bad.call().accept(this))
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo(bad.field()));
    }
}
