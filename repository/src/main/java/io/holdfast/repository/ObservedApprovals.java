package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalPage.Place;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.lease.Fence;
import java.util.List;
import java.util.Optional;

/** {@link JpaApprovals}, with each call told to whoever watches. */
record ObservedApprovals(Observing observing, Scope scope) implements Approvals {

    @Override
    public Registration register(ApprovalRequest request) {
        return observing.call(Operation.APPROVAL_REGISTER, on -> over(on).register(request), ApprovalOutcomes::of);
    }

    @Override
    public Optional<Approval> find(String id) {
        return observing.call(Operation.APPROVAL_FIND, on -> over(on).find(id), Outcomes::ofFound);
    }

    @Override
    public Ruling decide(String id, Decision decision) {
        return observing.call(Operation.APPROVAL_DECIDE, on -> over(on).decide(id, decision), ApprovalOutcomes::of);
    }

    @Override
    public Consumption dispatch(ApprovedCall call, Fence fence) {
        return refused(
                Operation.APPROVAL_DISPATCH,
                observing.call(Operation.APPROVAL_DISPATCH, on -> over(on).dispatch(call, fence), ApprovalOutcomes::of),
                call.use(),
                fence);
    }

    @Override
    public Consumption consume(ApprovalUse use, Fence fence) {
        return refused(
                Operation.APPROVAL_CONSUME,
                observing.call(Operation.APPROVAL_CONSUME, on -> over(on).consume(use, fence), ApprovalOutcomes::of),
                use,
                fence);
    }

    private Consumption refused(Operation operation, Consumption answer, ApprovalUse use, Fence fence) {
        if (answer instanceof Consumption.FenceLost lost) {
            Refused.log(operation, scope, "run " + use.run(), fence, lost.reason());
        }
        return answer;
    }

    @Override
    public Withdrawal withdraw(String id, String by, String reason) {
        return observing.call(
                Operation.APPROVAL_WITHDRAW, on -> over(on).withdraw(id, by, reason), ApprovalOutcomes::of);
    }

    @Override
    public List<ApprovalPage.Line> withdrawExpired(int limit) {
        return observing.call(
                Operation.APPROVAL_WITHDRAW_EXPIRED, on -> over(on).withdrawExpired(limit), lines -> Outcome.DONE);
    }

    @Override
    public ApprovalPage list(ApprovalState state, Optional<Place> after, int limit) {
        return observing.call(Operation.APPROVAL_LIST, on -> over(on).list(state, after, limit), page -> Outcome.DONE);
    }

    @Override
    public ApprovalPage listOfRun(String run, Optional<Place> after, int limit) {
        return observing.call(
                Operation.APPROVAL_LIST, on -> over(on).listOfRun(run, after, limit), page -> Outcome.DONE);
    }

    private JpaApprovals over(Transactions transactions) {
        return new JpaApprovals(transactions, scope);
    }
}
