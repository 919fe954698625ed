package io.holdfast.approval;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.journal.StepKey;

/**
 * What wants to consume an approval.
 *
 * @param approval its id
 * @param run the run it was registered for, under whose lease it is consumed
 * @param digest of the call that is about to be made
 * @param step the step that makes it
 */
public record ApprovalUse(String approval, String run, String digest, StepKey step) {

    public ApprovalUse {
        Identifier.text("approval", approval, 1, ApprovalRequest.MAX_ID_BYTES);
        Identifier.text("run", run, 1, ApprovalRequest.MAX_ID_BYTES);
        CallDigest.checked("digest", digest);
        Given.value("step", step);
    }
}
