package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoint;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.agent.AgentPage;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.AgentStatus;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.lease.Fence;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.Optional;

/** {@link JpaAgentCheckpoints}, with each call told to whoever watches. */
record ObservedAgentCheckpoints(Observing observing, Scope scope) implements AgentCheckpoints {

    @Override
    public Saved save(String run, long revision, AgentState state, Fence fence) {
        return refused(
                Operation.AGENT_SAVE,
                observing.call(
                        Operation.AGENT_SAVE, on -> over(on).save(run, revision, state, fence), CheckpointOutcomes::of),
                run,
                fence);
    }

    @Override
    public Saved pause(String run, long revision, AgentState state, Fence fence) {
        return refused(
                Operation.AGENT_PAUSE,
                observing.call(
                        Operation.AGENT_PAUSE,
                        on -> over(on).pause(run, revision, state, fence),
                        CheckpointOutcomes::of),
                run,
                fence);
    }

    private Saved refused(Operation operation, Saved answer, String run, Fence fence) {
        if (answer instanceof Saved.FenceLost lost) {
            Refused.log(operation, scope, "run " + run, fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Optional<AgentCheckpoint> load(String run) {
        return observing.call(Operation.AGENT_LOAD, on -> over(on).load(run), Outcomes::ofFound);
    }

    @Override
    public Ended finish(String run, LeaseAfter leaseAfter, Fence fence) {
        Ended answer = observing.call(
                Operation.AGENT_FINISH, on -> over(on).finish(run, leaseAfter, fence), CheckpointOutcomes::of);
        if (answer instanceof Ended.FenceLost lost) {
            Refused.log(Operation.AGENT_FINISH, scope, "run " + run, fence, lost.reason());
        }
        return answer;
    }

    @Override
    public boolean purge(String run) {
        return observing.call(
                Operation.AGENT_PURGE, on -> over(on).purge(run), purged -> purged ? Outcome.DONE : Outcome.NOT_FOUND);
    }

    @Override
    public AgentPage incomplete(AgentStatus status, Optional<AgentPage.Place> after, int limit) {
        return observing.call(
                Operation.AGENT_INCOMPLETE, on -> over(on).incomplete(status, after, limit), page -> Outcome.DONE);
    }

    private JpaAgentCheckpoints over(Transactions transactions) {
        return new JpaAgentCheckpoints(transactions, scope);
    }
}
