package io.holdfast.repository;

import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.Fork;
import io.holdfast.checkpoint.Purged;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.codec.Document;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The operations on checkpoints: one statement each, whoever wins or loses. */
final class CheckpointOperations {

    private static final Definition DEFINITION = Definition.of(new DefinitionHash("ab".repeat(32)));

    private CheckpointOperations() {}

    private static Operations.Case one(String name, Class<?> answer, Function<Worker, Supplier<?>> prepare) {
        return new Operations.Case(name, 1, answer, prepare);
    }

    static Stream<Operations.Case> all() {
        return Stream.of(creations(), saves(), reads()).flatMap(s -> s);
    }

    private static Checkpoint first() {
        return Checkpoint.first(DEFINITION, "a", Document.EMPTY);
    }

    private static CheckpointCreation create(Worker w) {
        return w.stores().checkpoints().create(RunStart.of(w.id()), first());
    }

    private static SavedCheckpoint created(Worker w) {
        return ((CheckpointCreation.Created) create(w)).saved();
    }

    private static Fence leased(Worker w, String owner) {
        LeaseKey key = LeaseKey.ofRun(w.id());
        return ((Acquisition.Granted) w.stores().leases().acquire(key, owner, Worker.TTL))
                .lease()
                .fence();
    }

    private static Saving save(Worker w, SavedCheckpoint read, Fence fence) {
        return w.stores().checkpoints().save(read, read.checkpoint().next("b", Document.EMPTY), fence);
    }

    private static Saving end(Worker w, SavedCheckpoint read) {
        return w.stores().checkpoints().overwrite(read, read.checkpoint().ended(CheckpointStatus.FAILED));
    }

    private static Stream<Operations.Case> creations() {
        return Stream.of(
                one("create checkpoint", CheckpointCreation.Created.class, w -> () -> create(w)),
                one("create checkpoint again", CheckpointCreation.AlreadyCreated.class, w -> {
                    created(w);
                    return () -> create(w);
                }),
                one("create checkpoint that is taken", CheckpointCreation.Taken.class, w -> {
                    end(w, created(w));
                    return () -> create(w);
                }),
                one(
                        "create fork of nothing",
                        CheckpointCreation.NoSource.class,
                        w -> () -> w.stores()
                                .checkpoints()
                                .create(RunStart.of(w.id()).forked(new Fork(w.id(), 1, 0, false)), first())));
    }

    private static Stream<Operations.Case> saves() {
        return Stream.of(
                one("save checkpoint", Saving.Saved.class, w -> {
                    SavedCheckpoint read = created(w);
                    Fence fence = leased(w, "a");
                    return () -> save(w, read, fence);
                }),
                one("save checkpoint again", Saving.AlreadySaved.class, w -> {
                    SavedCheckpoint read = created(w);
                    Fence fence = leased(w, "a");
                    save(w, read, fence);
                    return () -> save(w, read, fence);
                }),
                one("save checkpoint of an old revision", Saving.RevisionConflict.class, w -> {
                    SavedCheckpoint read = created(w);
                    Fence fence = leased(w, "a");
                    w.stores().checkpoints().save(read, read.checkpoint().next("c", Document.EMPTY), fence);
                    return () -> save(w, read, fence);
                }),
                one("save checkpoint after a takeover", Saving.FenceLost.class, w -> {
                    SavedCheckpoint read = created(w);
                    Fence former = leased(w, "a");
                    w.stores().leases().release(LeaseKey.ofRun(w.id()), former);
                    leased(w, "b");
                    return () -> save(w, read, former);
                }),
                one("save checkpoint of what has ended", Saving.Finished.class, w -> {
                    SavedCheckpoint read = created(w);
                    Fence fence = leased(w, "a");
                    end(w, read);
                    return () -> save(w, read, fence);
                }),
                one("overwrite checkpoint", Saving.Saved.class, w -> {
                    SavedCheckpoint read = created(w);
                    return () -> end(w, read);
                }));
    }

    private static Stream<Operations.Case> reads() {
        return Stream.of(
                one("find checkpointed run", SavedCheckpoint.class, w -> {
                    created(w);
                    return () -> w.stores().checkpoints().find(w.id()).orElseThrow();
                }),
                one("history", List.class, w -> {
                    end(w, created(w));
                    return () -> w.stores().checkpoints().history(w.id(), 0, 10);
                }),
                one("children", List.class, w -> () -> w.stores().checkpoints().children(w.id(), "", 10)),
                one("identities", Map.class, w -> {
                    created(w);
                    return () -> w.stores().checkpoints().identities(List.of(w.id()));
                }),
                one(
                        "incomplete",
                        List.class,
                        w -> () -> w.stores().checkpoints().incomplete(Optional.empty(), 10)),
                one(
                        "purge checkpoints",
                        Purged.class,
                        w -> () -> w.stores().checkpoints().purge(Duration.ofDays(1), 0, 10)));
    }
}
