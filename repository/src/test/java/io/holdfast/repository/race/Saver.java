package io.holdfast.repository.race;

import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.codec.Document;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import java.util.Map;

/** A worker that holds a run's lease and has read its checkpoint: all it needs to save the next one. */
record Saver(Stores stores, SavedCheckpoint read, Lease lease) {

    private static final Definition DEFINITION = Definition.of(new DefinitionHash("ab".repeat(32)));

    /** Owner {@code a} with token 1, of a reserved run at revision 1. */
    static Saver at(Race race, String id) {
        SavedCheckpoint read = ((CheckpointCreation.Created) create(race.stores, id, "first")).saved();
        return new Saver(
                race.stores, read, Race.granted(race.stores.leases().acquire(LeaseKey.ofRun(id), "a", Race.TTL)));
    }

    static CheckpointCreation create(Stores stores, String id, String state) {
        return stores.checkpoints().create(RunStart.of(id), Checkpoint.first(DEFINITION, "a", state(state)));
    }

    private static Document state(String value) {
        return Document.of(Map.of("value", value));
    }

    /** The same worker, saving as part of another transaction. */
    Saver in(Stores other) {
        return new Saver(other, read, lease);
    }

    /** The same worker, after a save. */
    Saver after(Saving.Saved saving) {
        return new Saver(stores, saving.saved(), lease);
    }

    Saving save() {
        return save(read.checkpoint().next("b", state("mine")));
    }

    Saving saveOther() {
        return save(read.checkpoint().next("b", state("other")));
    }

    Saving complete() {
        return save(read.checkpoint().completed(state("end")));
    }

    private Saving save(Checkpoint next) {
        return stores.checkpoints().save(read, next, lease.fence());
    }

    /** As an operator would end it, whoever holds the lease. */
    Saving abandon() {
        return stores.checkpoints().overwrite(read, read.checkpoint().ended(CheckpointStatus.FAILED));
    }
}
