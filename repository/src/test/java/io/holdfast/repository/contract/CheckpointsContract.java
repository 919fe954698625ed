package io.holdfast.repository.contract;

import static io.holdfast.checkpoint.CheckpointStatus.COMPLETED;
import static io.holdfast.checkpoint.CheckpointStatus.FAILED;
import static io.holdfast.checkpoint.CheckpointStatus.PAUSED;
import static io.holdfast.checkpoint.CheckpointStatus.REJECTED;
import static io.holdfast.checkpoint.CheckpointStatus.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.Fork;
import io.holdfast.checkpoint.HistoryEntry;
import io.holdfast.checkpoint.Purged;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.checkpoint.Waiting;
import io.holdfast.codec.Document;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkpoints: created once, saved under the lease of the run or not at all, and over when they are over. */
abstract class CheckpointsContract extends CheckpointScene {

    private static final LeaseKey RUN = LeaseKey.ofRun("r");

    CheckpointsContract(Environment environment) {
        super(environment);
    }

    @Test // W1
    void aRunIsCreatedOnceAndIsOnlyReserved() {
        SavedCheckpoint created = reservedRun("r");
        assertThat(created.revision()).isEqualTo(1);
        assertThat(created.startedVersion()).isEmpty();
        assertThat(foundRun("r")).isEqualTo(created);
        assertThat(checkpoints.history("r", 0, 10)).isEmpty();
        assertThat(checkpoints.create(RunStart.of("r"), first()))
                .isEqualTo(new CheckpointCreation.AlreadyCreated(created));
        Checkpoint other = Checkpoint.first(DEFINITION, "charge", state(1));
        assertThat(checkpoints.create(RunStart.of("r"), other)).isEqualTo(new CheckpointCreation.Taken(RUNNING, 1));
        assertThat(foundRun("r")).isEqualTo(created);
    }

    @Test
    void aRunThatHasMovedOnTakesItsIdAndSaysWhereItStands() {
        completed("r");
        assertThat(checkpoints.create(RunStart.of("r"), first())).isEqualTo(new CheckpointCreation.Taken(COMPLETED, 2));
    }

    @Test // W2
    void aRunThatBeginsWithMoreThanAReservationHasItsFirstEntryAtOnce() {
        Checkpoint paused = first().paused(new Waiting.ForAnswer("i-1"));
        SavedCheckpoint saved = created(RunStart.of("paused"), paused);
        assertThat(saved.startedVersion()).contains("1.0.0");
        assertThat(checkpoints.history("paused", 0, 10))
                .containsExactly(new HistoryEntry("paused", 1, paused, saved.updatedAt()));
        Checkpoint later = first().next("ship", state(7));
        created(RunStart.of("later"), later);
        assertThat(checkpoints.history("later", 0, 10)).hasSize(1);
    }

    @Test // W2, 2.5
    void aForkBeginsWithAnEntryOfItsSourcesHistoryAndKeepsWhereItCameFrom() {
        saved("source", 3);
        HistoryEntry second = checkpoints.history("source", 2, 1).get(0);
        Fork fork = second.fork(true);
        assertThat(fork).isEqualTo(new Fork("source", 3, 2, true));
        RunStart start = RunStart.of("source").forked(fork);
        assertThat(start.runId()).matches("source~fork-[0-9a-f]{8}");
        SavedCheckpoint forked = created(start, first());
        assertThat(checkpoints.history(start.runId(), 0, 10)).hasSize(1);
        // W6: it stands beside what is saved, so no save can lose it
        SavedCheckpoint next = saved(forked, forked.checkpoint().next("ship", state(1)), leased(start.runId()));
        assertThat(next.run().fork()).contains(fork);
        assertThat(foundRun(start.runId())).isEqualTo(next);
        assertThat(checkpoints.create(start, first())).isEqualTo(new CheckpointCreation.Taken(RUNNING, 2));
    }

    @Test // 2.5: the same definition, and a node to go on from
    void aForkOfWhatIsNotThereOrCannotGoOnIsRefused() {
        completed("source");
        reservedRun("reserved");
        assertThat(forked(new Fork("source", 9, 0, false), DEFINITION)).isEqualTo(noSource("NOT_FOUND"));
        assertThat(forked(new Fork("nobody", 1, 0, false), DEFINITION)).isEqualTo(noSource("NOT_FOUND"));
        assertThat(forked(new Fork("reserved", 1, 0, false), DEFINITION)).isEqualTo(noSource("NOT_FOUND"));
        assertThat(forked(new Fork("source", 2, 1, false), OTHER)).isEqualTo(noSource("OTHER_DEFINITION"));
        assertThat(forked(new Fork("source", 2, 1, false), DEFINITION)).isEqualTo(noSource("AT_THE_END"));
    }

    private CheckpointCreation forked(Fork fork, io.holdfast.checkpoint.Definition definition) {
        return checkpoints.create(RunStart.of("f").forked(fork), Checkpoint.first(definition, "charge", state(0)));
    }

    private static CheckpointCreation noSource(String reason) {
        return new CheckpointCreation.NoSource(CheckpointCreation.Reason.valueOf(reason));
    }

    @Test // W3
    void aSaveMovesTheRevisionByOneAndTheSameRevisionAgainIsAConflict() {
        SavedCheckpoint read = reservedRun("r");
        Fence fence = leased("r");
        SavedCheckpoint second = saved(read, read.checkpoint().next("ship", state(1)), fence);
        assertThat(second.revision()).isEqualTo(2);
        assertThat(second.startedVersion()).contains("1.0.0");
        assertThat(foundRun("r")).isEqualTo(second);
        List<HistoryEntry> history = checkpoints.history("r", 0, 10);
        assertThat(history).containsExactly(new HistoryEntry("r", 2, second.checkpoint(), second.updatedAt()));
        assertThat(checkpoints.save(read, read.checkpoint().next("ship", state(2)), fence))
                .isEqualTo(new Saving.RevisionConflict(2));
        assertThat(checkpoints.history("r", 0, 10)).isEqualTo(history);
    }

    @Test // design 4: whatever the fence says, so that repeating a call whose outcome was unknown is safe
    void aSaveThatIsSentAgainIsAlreadySavedWhateverBecameOfTheLease() {
        SavedCheckpoint read = reservedRun("r");
        Fence fence = leased("r");
        Checkpoint next = read.checkpoint().next("ship", state(1));
        Saving again = new Saving.AlreadySaved(saved(read, next, fence));
        assertThat(checkpoints.save(read, next, fence)).isEqualTo(again);
        expire(RUN);
        assertThat(checkpoints.save(read, next, fence)).isEqualTo(again);
        granted(RUN, "rival", MINUTE);
        assertThat(checkpoints.save(read, next, fence)).isEqualTo(again);
        assertThat(checkpoints.overwrite(read, next)).isEqualTo(again);
        assertThat(checkpoints.save(read, next.withDetails(state("other")), fence))
                .isEqualTo(new Saving.FenceLost(Loss.SUPERSEDED));
    }

    @Test
    void aSaveUnderAnyOtherFenceIsRefusedForItsReason() {
        SavedCheckpoint read = reservedRun("r");
        Checkpoint next = read.checkpoint().next("ship", state(1));
        assertThat(checkpoints.save(read, next, new Fence("worker", 1))).isEqualTo(new Saving.FenceLost(Loss.NONE));
        Fence fence = leased("r");
        assertThat(checkpoints.save(read, next, new Fence("rival", 1)))
                .isEqualTo(new Saving.FenceLost(Loss.SUPERSEDED));
        assertThat(checkpoints.save(read, next, new Fence("worker", 2)))
                .isEqualTo(new Saving.FenceLost(Loss.SUPERSEDED));
        granted("r", "worker"); // the lease of a workflow of that name is another
        expire(RUN);
        assertThat(checkpoints.save(read, next, fence)).isEqualTo(new Saving.FenceLost(Loss.EXPIRED));
        leases.release(RUN, fence);
        assertThat(checkpoints.save(read, next, fence)).isEqualTo(new Saving.FenceLost(Loss.NONE));
    }

    @Test // W5, W8, 2.10 2: neither reopened, nor stripped of what it waits for, nor moved to another owner
    void anOverwriteNamesWhatWasReadToo() {
        SavedCheckpoint read = reservedRun("r");
        Fence fence = leased("r");
        Checkpoint paused = read.checkpoint().paused(Waiting.ForApprovals.of("a-1"));
        SavedCheckpoint waiting = saved(read, paused, fence);
        assertThat(checkpoints.overwrite(read, first().next("ship", state(1))))
                .isEqualTo(new Saving.RevisionConflict(2));
        assertThat(foundRun("r").checkpoint().waiting()).contains(Waiting.ForApprovals.of("a-1"));
        Saving answer = checkpoints.overwrite(waiting, waiting.checkpoint().next("ship", state(2)));
        assertThat(answer).isEqualTo(new Saving.Saved(foundRun("r")));
        // Whoever holds the lease hears of it.
        assertThat(checkpoints.save(waiting, paused.withDetails(state("mine")), fence))
                .isEqualTo(new Saving.RevisionConflict(3));
    }

    @ParameterizedTest // W5: what is final stays so
    @EnumSource(
            value = CheckpointStatus.class,
            names = {"COMPLETED", "FAILED", "REJECTED"})
    void noWriteChangesARunThatHasEnded(CheckpointStatus end) {
        SavedCheckpoint read = reservedRun("r");
        Fence fence = leased("r");
        SavedCheckpoint ended = saved(read, read.checkpoint().ended(end), fence);
        Checkpoint reopened = first().next("ship", state(1));
        assertThat(checkpoints.save(ended, reopened, fence)).isEqualTo(new Saving.Finished(end));
        assertThat(checkpoints.overwrite(ended, reopened)).isEqualTo(new Saving.Finished(end));
        assertThat(checkpoints.save(read, reopened, fence)).isEqualTo(new Saving.Finished(end));
        assertThat(foundRun("r")).isEqualTo(ended);
    }

    @Test // W4, 2.10 3
    void nothingRevivesARunThatWasPurged() {
        SavedCheckpoint read = reservedRun("r");
        SavedCheckpoint ended =
                ((Saving.Saved) checkpoints.overwrite(read, read.checkpoint().ended(FAILED))).saved();
        assertThat(checkpoints.purge(Duration.ZERO, 0, 10)).isEqualTo(new Purged(1, 2));
        Fence fence = leased("r");
        Checkpoint next = first().next("ship", state(1));
        for (SavedCheckpoint stale : List.of(read, ended)) {
            assertThat(checkpoints.save(stale, next, fence)).isEqualTo(new Saving.NotFound());
            assertThat(checkpoints.overwrite(stale, next)).isEqualTo(new Saving.NotFound());
        }
        assertThat(checkpoints.find("r")).isEmpty();
        assertThat(checkpoints.history("r", 0, 10)).isEmpty();
        SavedCheckpoint anew = reservedRun("r");
        assertThat(anew.incarnation()).isNotEqualTo(read.incarnation());
        assertThat(checkpoints.save(read, next, fence)).isEqualTo(new Saving.NotFound());
    }

    @Test // 2.10 6: no run without a lease, no lease without a run
    void aRunIsStoredTogetherWithItsLeaseAndItsFirstSaveOrNotAtAll() {
        assertThatThrownBy(() -> atomically(true)).hasMessage("killed");
        assertThat(watched.picture()).isEmpty();
        SavedCheckpoint run = atomically(false);
        assertThat(foundRun("r")).isEqualTo(run);
        assertThat(leases.find(RUN)).isPresent();
    }

    private SavedCheckpoint atomically(boolean killed) {
        return environment.perform(() -> environment.holdfast().atomically(bound -> {
            Stores stores = bound.in(scope);
            SavedCheckpoint run =
                    ((CheckpointCreation.Created) stores.checkpoints().create(RunStart.of("r"), first())).saved();
            Fence fence = ((Acquisition.Granted) stores.leases().acquire(RUN, "worker", MINUTE))
                    .lease()
                    .fence();
            Saving saving = stores.checkpoints().save(run, run.checkpoint().next("ship", state(1)), fence);
            if (killed) {
                throw new IllegalStateException("killed");
            }
            return ((Saving.Saved) saving).saved();
        }));
    }

    @Test // 2.2: paused for a reason that has a name; W13: a question without an id cannot be asked
    void whatARunWaitsForIsKeptByName() {
        Fence fence = leased("r");
        SavedCheckpoint run = reservedRun("r");
        List<Waiting> reasons = List.of(
                Waiting.ForApprovals.of("a-1", "\u00e9 \"2\""),
                new Waiting.ForAnswer("i-1"),
                new Waiting.ForEffect("ef".repeat(32)));
        for (Waiting reason : reasons) {
            run = saved(run, run.checkpoint().paused(reason), fence);
            assertThat(foundRun("r").checkpoint().waiting()).contains(reason);
        }
        Checkpoint answered = new Checkpoint(
                DEFINITION, RUNNING, Optional.of("charge"), 0, Optional.of(reasons.get(0)), state(1), state(2));
        assertThat(saved(run, answered, fence)).isEqualTo(foundRun("r"));
    }

    @Test // 2.3, 2.4: a migration
    void aRunMayFollowAnotherDefinitionAndRemembersWhichItBeganWith() {
        Fence fence = leased("r");
        SavedCheckpoint run = reservedRun("r");
        run = saved(run, run.checkpoint().next("ship", state(1)), fence);
        Checkpoint migrated =
                new Checkpoint(OTHER, RUNNING, Optional.of("new"), 1, Optional.empty(), state(1), Document.EMPTY);
        run = saved(run, migrated, fence);
        assertThat(run.startedVersion()).contains("1.0.0");
        assertThat(run.checkpoint().definition()).isEqualTo(OTHER);
        assertThat(foundRun("r")).isEqualTo(run);
    }

    @Test // W25: it is stored once, and a second copy in what the engine keeps is the engine's
    void theDefinitionsHashIsTheColumns() {
        Document details = Document.of(Map.of("definition_digest", "ff".repeat(32)));
        created(RunStart.of("r"), first().withDetails(details));
        assertThat(foundRun("r").checkpoint().definition()).isEqualTo(DEFINITION);
        assertThat(foundRun("r").checkpoint().details()).isEqualTo(details);
    }

    @Test // W7, 2.10 13: not even that it exists
    void whatBelongsToAnotherScopeIsNotThere() {
        SavedCheckpoint mine = saved("r", 2);
        Fence fence = leased("r");
        Tenant other = new Tenant(environment, Scope.of(scope.id() + "-other"));
        Checkpoint next = mine.checkpoint().next("ship", state(9));
        assertThat(other.checkpoints().find("r")).isEmpty();
        assertThat(other.checkpoints().history("r", 0, 10)).isEmpty();
        assertThat(other.checkpoints().children("r", "", 10)).isEmpty();
        assertThat(other.checkpoints().identities(List.of("r"))).isEmpty();
        assertThat(other.checkpoints().incomplete(Optional.empty(), 10)).isEmpty();
        assertThat(other.checkpoints().save(mine, next, fence)).isEqualTo(new Saving.NotFound());
        assertThat(other.checkpoints().overwrite(mine, next)).isEqualTo(new Saving.NotFound());
        assertThat(other.checkpoints().create(RunStart.of("f").forked(new Fork("r", 2, 1, false)), first()))
                .isEqualTo(noSource("NOT_FOUND"));
        assertThat(other.checkpoints().create(RunStart.of("r"), first()))
                .isInstanceOf(CheckpointCreation.Created.class);
        assertThat(foundRun("r")).isEqualTo(mine);
    }

    @Test // 0.3: as it was written, to the byte
    void whatIsSavedComesBackToTheByte() {
        Document odd = Document.of(Map.of(
                "\ue000", "\0\u0001\u2028/\u007f\"\\", "\ud83d\ude00", List.of(1, 2.0, -0.0, 1e300), "a", Map.of()));
        SavedCheckpoint run = created(RunStart.of("r \u00e9 \ud83d\ude00"), first().withDetails(odd));
        SavedCheckpoint found = foundRun("r \u00e9 \ud83d\ude00");
        assertThat(found).isEqualTo(run);
        assertThat(found.checkpoint().details().text()).isEqualTo(odd.text()).contains("\\u0000");
        assertThat(found.checkpoint().details().tree()).containsEntry("\ue000", "\0\u0001\u2028/\u007f\"\\");
    }

    @Test // W20: what is damaged is told when it is read, and harms nothing beside it
    void aDamagedDocumentIsFoundOutWhenItIsOpened() {
        saved("r", 2);
        environment.changeRow(
                "update {checkpoint_entry} set state = '{odd' where scope = ? and run_id = 'r' and revision = 3",
                scope.id());
        assertThat(checkpoints.history("r", 0, 10)).hasSize(2);
        assertThat(checkpoints.incomplete(Optional.empty(), 10)).hasSize(1);
        Document damaged = foundRun("r").checkpoint().state();
        assertThatThrownBy(damaged::tree)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("The stored checkpoint \"r\" is damaged")
                .hasMessageNotContaining("odd");
    }

    @Test // changed past the library: told by its run, and nothing of it shown
    void aDamagedCheckpointIsNamedWhereverItIsRead() {
        created(RunStart.of("r"), first().paused(new Waiting.ForAnswer("i-1")));
        for (String ids : List.of("[1234]", "{\"secret\":1}", "[\"secret\",\"i-2\"]", "[null]", "[\"secret\"")) {
            damaged("waiting_ids", ids, () -> checkpoints.find("r"));
        }
        damaged("node", "secret\n", () -> checkpoints.find("r"));
        damaged("definition_version", "secret\n", () -> checkpoints.find("r"));
        damaged("definition_version", "secret\n", () -> checkpoints.identities(List.of("r")));
        environment.changeRow("update {checkpoint_entry} set node = ? where scope = ?", "secret\n", scope.id());
        namesTheRun(() -> checkpoints.history("r", 0, 10));
    }

    private void damaged(String column, String text, ThrowingCallable reading) {
        environment.changeRow("update {checkpoint} set " + column + " = ? where scope = ?", text, scope.id());
        namesTheRun(reading);
        String undone = column.equals("waiting_ids") ? "[\"i-1\"]" : "good";
        environment.changeRow("update {checkpoint} set " + column + " = ? where scope = ?", undone, scope.id());
        assertThat(foundRun("r").runId()).isEqualTo("r");
    }

    private static void namesTheRun(ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("The stored checkpoint \"r\" is damaged")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aRevisionThatNobodyCanHaveReadIsAConflict() {
        SavedCheckpoint read = reservedRun("r");
        Fence fence = leased("r");
        for (long none : new long[] {Long.MAX_VALUE, 0, -1, Long.MIN_VALUE}) {
            SavedCheckpoint made = new SavedCheckpoint(
                    read.run(),
                    read.checkpoint(),
                    none,
                    read.incarnation(),
                    read.startedVersion(),
                    read.createdAt(),
                    read.updatedAt());
            assertThat(checkpoints.save(made, first().next("ship", state(1)), fence))
                    .isEqualTo(new Saving.RevisionConflict(1));
        }
    }

    @Test // 2.8: 4 MiB, of state and details together
    void aCheckpointMayBeFourMebibytesLong() {
        String filling = "x"
                .repeat(Checkpoint.MAX_BYTES
                        - state("").text().length()
                        - Document.EMPTY.text().length());
        SavedCheckpoint run = created(RunStart.of("r"), Checkpoint.first(DEFINITION, "charge", state(filling)));
        assertThat(foundRun("r")).isEqualTo(run);
        Document tooLong = state(filling + "x");
        assertThatThrownBy(() -> first().next("ship", tooLong))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("state must be at most 4194304 bytes of UTF-8 together with the details");
    }

    @Test
    void theLongestNamesAreKept() {
        String longest = "a/".repeat(511) + "bb";
        RunStart start = new RunStart(longest, Optional.of("a"), Optional.empty());
        Checkpoint at = Checkpoint.first(
                io.holdfast.checkpoint.Definition.of(DEFINITION.hash(), "v".repeat(255)), "n".repeat(1_024), state(0));
        List<String> ids = java.util.stream.IntStream.range(0, 64)
                .mapToObj(i -> "\"".repeat(1_020) + (1_000 + i))
                .toList();
        SavedCheckpoint run = created(start, at.paused(new Waiting.ForApprovals(ids)));
        assertThat(foundRun(longest)).isEqualTo(run);
        assertThat(checkpoints.children("a", "", 10)).hasSize(1);
        assertThat(foundRun(longest).checkpoint().status()).isEqualTo(PAUSED);
        assertThat(REJECTED.isFinal()).isTrue();
    }
}
