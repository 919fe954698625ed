package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.codec.Document;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import java.util.Map;

/** Runs to save checkpoints of. */
abstract class CheckpointScene extends Contract {

    static final Definition DEFINITION = Definition.of(new DefinitionHash("ab".repeat(32)), "1.0.0");
    static final Definition OTHER = Definition.of(new DefinitionHash("cd".repeat(32)), "2.0.0");

    CheckpointScene(Environment environment) {
        super(environment);
    }

    static Document state(Object value) {
        return Document.of(Map.of("value", value));
    }

    static Checkpoint first() {
        return Checkpoint.first(DEFINITION, "charge", state(0));
    }

    final SavedCheckpoint created(RunStart run, Checkpoint first) {
        CheckpointCreation answer = checkpoints.create(run, first);
        assertThat(answer).isInstanceOf(CheckpointCreation.Created.class);
        return ((CheckpointCreation.Created) answer).saved();
    }

    /** A run at revision 1 that is only reserved. */
    final SavedCheckpoint reservedRun(String runId) {
        return created(RunStart.of(runId), first());
    }

    final Fence leased(String runId) {
        return granted(LeaseKey.ofRun(runId), "worker", MINUTE).fence();
    }

    final SavedCheckpoint saved(SavedCheckpoint read, Checkpoint next, Fence fence) {
        Saving answer = checkpoints.save(read, next, fence);
        assertThat(answer).isInstanceOf(Saving.Saved.class);
        return ((Saving.Saved) answer).saved();
    }

    /** The run after so many saves, each with its revision for a value. */
    final SavedCheckpoint saved(String runId, int times) {
        SavedCheckpoint run = reservedRun(runId);
        Fence fence = leased(runId);
        for (int i = 0; i < times; i++) {
            run = saved(run, run.checkpoint().next("ship", state(run.revision() + 1)), fence);
        }
        leases.release(LeaseKey.ofRun(runId), fence);
        return run;
    }

    final SavedCheckpoint completed(String runId) {
        SavedCheckpoint run = reservedRun(runId);
        Saving answer = checkpoints.overwrite(run, run.checkpoint().completed(state("done")));
        return ((Saving.Saved) answer).saved();
    }

    final SavedCheckpoint foundRun(String runId) {
        return checkpoints.find(runId).orElseThrow();
    }
}
