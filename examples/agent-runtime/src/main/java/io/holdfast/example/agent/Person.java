package io.holdfast.example.agent;

import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.Decision;
import java.util.Optional;

/** Somebody of the finance department, who agrees to everything. */
final class Person {

    private final Approvals approvals;

    Person(Approvals approvals) {
        this.approvals = approvals;
    }

    // snippet: decide
    /** Decides what the run waits for. The digest says about which call: what was shown, and no other. */
    void decide(String run) {
        for (ApprovalPage.Line line :
                approvals.listOfRun(run, Optional.empty(), 100).lines()) {
            if (line.is(ApprovalState.PENDING)) {
                // A repeat, or somebody who was quicker, is an answer to look at. This person just takes it.
                approvals.decide(
                        line.id(), Decision.approve(line.digest(), "dana").as(ToolCall.MAY_REFUND));
            }
        }
    }
    // end
}
