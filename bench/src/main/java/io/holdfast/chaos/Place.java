package io.holdfast.chaos;

import io.holdfast.agent.AgentCheckpoint;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.chaos.Desk.Seen;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.checkpoint.Waiting;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.Document;
import io.holdfast.journal.RunStatus;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Stores;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.Map;
import java.util.Optional;

/** Where a run stands, kept beside its journal and written in the same transaction. */
interface Place {

    /** What became of a save. */
    enum Kept {
        NOW,
        BEFORE,
        NOT
    }

    /** A save on top of what is stored now. It may be sent again. */
    interface Save {
        Kept in(Stores stores);
    }

    /** What is saved, by which write, and under which fence; of a paused run, what it waits for. */
    record Next(String write, Fence fence, RunStatus status, String approval) {}

    Save next(Desk desk, String run, Next next);

    /** That of a workflow, with its history. */
    final class OfWorkflow implements Place {

        private static final Definition DEFINITION = Definition.of(new DefinitionHash("c".repeat(64)));

        @Override
        public Save next(Desk desk, String run, Next next) {
            SavedCheckpoint read = find(desk, run).orElseGet(() -> created(desk, run));
            Document state = Document.of(
                    Map.of("write", next.write(), "token", next.fence().token()));
            Checkpoint before = read.checkpoint();
            Checkpoint after = next.status() == RunStatus.COMPLETED
                    ? before.completed(state)
                    : next.status() == RunStatus.PAUSED
                            ? before.next("gate", state).paused(Waiting.ForApprovals.of(next.approval()))
                            : before.next("at-work", state);
            return bound -> {
                Saving answer = bound.checkpoints().save(read, after, next.fence());
                return answer instanceof Saving.Saved
                        ? Kept.NOW
                        : answer instanceof Saving.AlreadySaved ? Kept.BEFORE : Kept.NOT;
            };
        }

        /** The first revision is that of its creation. */
        private static Optional<SavedCheckpoint> find(Desk desk, String run) {
            return desk.reading(
                    "find-checkpoint",
                    run,
                    () -> desk.stores.checkpoints().find(run),
                    found -> found.filter(saved -> saved.revision() > 1)
                            .map(saved -> new Seen(
                                    StoredRuns.text(saved.checkpoint().state().text(), "write"), saved.revision() - 1))
                            .orElse(Seen.NOTHING));
        }

        private static SavedCheckpoint created(Desk desk, String run) {
            CheckpointCreation answer = desk.stores
                    .checkpoints()
                    .create(RunStart.of(run), Checkpoint.first(DEFINITION, "at-work", Document.EMPTY));
            return answer instanceof CheckpointCreation.Created created
                    ? created.saved()
                    : find(desk, run).orElseThrow();
        }
    }

    /** That of an agent: the last one only, and none once it is over. */
    final class OfAgent implements Place {

        @Override
        public Save next(Desk desk, String run, Next next) {
            if (next.status() == RunStatus.COMPLETED) {
                return bound -> {
                    // The journal's commit gives the lease back.
                    Ended answer = bound.agentCheckpoints().finish(run, LeaseAfter.KEEP, next.fence());
                    return answer instanceof Ended.Done
                            ? Kept.NOW
                            : answer instanceof Ended.AlreadyOver ? Kept.BEFORE : Kept.NOT;
                };
            }
            Optional<AgentCheckpoint> before = desk.reading(
                    "find-agent",
                    run,
                    () -> desk.stores.agentCheckpoints().load(run),
                    found -> found.map(agent ->
                                    new Seen(StoredRuns.text(agent.state().interruption(), "write"), agent.revision()))
                            .orElse(Seen.NOTHING));
            AgentPhase phase = next.status() == RunStatus.PAUSED ? AgentPhase.PAUSED : AgentPhase.TOOLS_PENDING;
            AgentState state =
                    AgentState.of(phase, Canonical.write("state", Map.of("run_id", run, "write", next.write())));
            long revision = before.map(AgentCheckpoint::revision).orElse(0L);
            return bound -> {
                Saved answer = bound.agentCheckpoints().save(run, revision, state, next.fence());
                return answer instanceof Saved.Done
                        ? Kept.NOW
                        : answer instanceof Saved.AlreadyApplied ? Kept.BEFORE : Kept.NOT;
            };
        }
    }
}
