package io.holdfast.repository;

import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Saving;

/** The answers of checkpoints, of runs and of agents, each as one of a bounded set of outcomes. */
final class CheckpointOutcomes {

    private CheckpointOutcomes() {}

    static Outcome of(CheckpointCreation answer) {
        if (answer instanceof CheckpointCreation.Created) {
            return Outcome.DONE;
        } else if (answer instanceof CheckpointCreation.AlreadyCreated) {
            return Outcome.REPEATED;
        }
        return answer instanceof CheckpointCreation.Taken ? Outcome.CONFLICT : Outcome.NOT_FOUND;
    }

    static Outcome of(Saving answer) {
        if (answer instanceof Saving.Saved) {
            return Outcome.DONE;
        } else if (answer instanceof Saving.AlreadySaved) {
            return Outcome.REPEATED;
        } else if (answer instanceof Saving.FenceLost) {
            return Outcome.FENCED;
        } else if (answer instanceof Saving.Finished) {
            return Outcome.TERMINAL;
        }
        return answer instanceof Saving.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome of(Saved answer) {
        if (answer instanceof Saved.Done) {
            return Outcome.DONE;
        } else if (answer instanceof Saved.AlreadyApplied) {
            return Outcome.REPEATED;
        } else if (answer instanceof Saved.FenceLost) {
            return Outcome.FENCED;
        }
        return answer instanceof Saved.Over ? Outcome.TERMINAL : Outcome.CONFLICT;
    }

    static Outcome of(Ended answer) {
        if (answer instanceof Ended.Done) {
            return Outcome.DONE;
        }
        return answer instanceof Ended.FenceLost ? Outcome.FENCED : Outcome.REPEATED;
    }
}
