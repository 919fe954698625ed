package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.WorkflowPage;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link JpaWorkflows}, with each call told to whoever watches. */
record ObservedWorkflows(Observing observing, Scope scope) implements Workflows {

    @Override
    public Creation create(WorkflowState state, Map<String, String> labels) {
        return observing.call(Operation.WORKFLOW_CREATE, on -> over(on).create(state, labels), Outcomes::of);
    }

    @Override
    public Optional<Workflow> find(String id) {
        return observing.call(Operation.WORKFLOW_FIND, on -> over(on).find(id), Outcomes::ofFound);
    }

    @Override
    public Optional<Workflow> findCheckpoint(String id, String requestId) {
        return observing.call(Operation.WORKFLOW_FIND, on -> over(on).findCheckpoint(id, requestId), Outcomes::ofFound);
    }

    @Override
    public Update update(Workflow read, WorkflowState next) {
        return observing.call(Operation.WORKFLOW_UPDATE, on -> over(on).update(read, next), Outcomes::of);
    }

    @Override
    public Update updateFenced(Workflow read, WorkflowState next, Fence fence) {
        Update answer = observing.call(
                Operation.WORKFLOW_UPDATE_FENCED, on -> over(on).updateFenced(read, next, fence), Outcomes::of);
        if (answer instanceof Update.FenceLost lost) {
            Refused.log(Operation.WORKFLOW_UPDATE_FENCED, scope, "workflow " + read.id(), fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Cancellation requestCancel(String id, String reason) {
        return observing.call(
                Operation.WORKFLOW_REQUEST_CANCEL, on -> over(on).requestCancel(id, reason), Outcomes::of);
    }

    @Override
    public List<WorkflowSummary> list(String after, int limit) {
        return observing.call(Operation.WORKFLOW_LIST, on -> over(on).list(after, limit), page -> Outcome.DONE);
    }

    @Override
    public WorkflowPage search(WorkflowFilter filter, Optional<WorkflowPage.Place> after, int limit) {
        return observing.call(
                Operation.WORKFLOW_SEARCH, on -> over(on).search(filter, after, limit), page -> Outcome.DONE);
    }

    private JpaWorkflows over(Transactions transactions) {
        return new JpaWorkflows(transactions, scope);
    }
}
