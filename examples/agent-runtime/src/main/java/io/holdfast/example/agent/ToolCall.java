package io.holdfast.example.agent;

import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Registration;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.JsonText;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepOutcome;
import java.util.Optional;

/** A call of a tool that the model has asked for, wherever those before this process have left it. */
record ToolCall(Place place, Tool tool, Message.Call call, Parts parts, String owner) {

    static final String MAY_REFUND = "finance";

    // snippet: tool
    /** Nothing was sent yet. */
    RunStatus begin() {
        return tool.needsApproval() ? askForApproval() : announce();
    }

    /** A call that needs nobody's leave. What is about to happen is written down first, then it is done. */
    private RunStatus announce() {
        Intent intent = Intent.of(place.step(), CallDigest.of(call.action()), key(0), tool.effects());
        return send(place.commit(place.next().intent(intent).effect(intent.pending())), 0, key(0));
    }

    /** Does it, and writes down that it is done: outcome, effect and transcript at once. */
    private RunStatus send(Place now, int index, String key) {
        if (!now.lease().isHeld()) { // no more than a courtesy: a process can sleep for hours behind this line
            throw new Place.Lost();
        }
        String result = tool.outside().call(key, call.arguments());
        EffectEntry confirmed = EffectEntry.confirmed(now.step(), index, json(result));
        return now.commit(finished(now, result).effect(confirmed)).status();
    }

    private static JournalCommit.Builder finished(Place now, String result) {
        return now.ended(StepOutcome.completed(now.step(), json(result)), Message.result(result));
    }

    private String key(int index) {
        return EffectId.of(parts.stores().scope(), place.head().id(), place.step(), index)
                .idempotencyKey();
    }
    // end

    // snippet: doubt
    /**
     * A call that was announced and has no outcome: whoever was at it has died, or had no answer. Whether it was made, the
     * journal cannot know.
     */
    RunStatus takeUp(Effect effect) {
        return switch (effect.status()) {
            case PENDING ->
                tool.effects() == EffectClass.IDEMPOTENT
                        ? send(place, effect.index(), effect.idempotencyKey())
                        : place.commit(place.next().effect(EffectEntry.indeterminate(place.step(), effect.index())))
                                .status();
            case INDETERMINATE -> settle(effect);
            case RESOLVED -> resolved(effect);
            case CONFIRMED -> throw new IllegalStateException(place.step() + " is confirmed and has no outcome");
        };
    }

    /** Nobody knows: so the other side is asked, by the key. */
    private RunStatus settle(Effect effect) {
        Resolution resolution = tool.outside()
                .find(effect.idempotencyKey())
                .map(result -> Resolution.of(Finding.CONFIRMED, owner).withResult(json(result)))
                .orElse(Resolution.of(Finding.NOT_APPLIED, owner));
        Resolved answer = place.journal()
                .resolveEffect(place.lease().fence(), place.head().id(), effect.id(), resolution);
        if (answer instanceof Resolved.FenceLost) {
            throw new Place.Lost();
        }
        return place.status(); // somebody may have found out something else: the next round reads that
    }

    /** It has happened: then this is the outcome. It has not: then it is sent now, as another effect of the same step. */
    private RunStatus resolved(Effect effect) {
        if (effect.finding().equals(Optional.of(Finding.CONFIRMED))) {
            return place.commit(finished(place, text(effect.result().orElseThrow())))
                    .status();
        }
        if (effect.finding().equals(Optional.of(Finding.FAILED))) { // as an operator may have found
            return refuse(place, "It has failed.");
        }
        int index = effect.index() + 1;
        EffectEntry again = EffectEntry.pending(place.step(), index, key(index));
        return send(place.commit(place.next().effect(again)), index, key(index));
    }
    // end

    // snippet: approval
    /** A person decides about this very call, and the decision is good for one call. */
    private RunStatus askForApproval() {
        String run = place.head().id();
        ApprovalRequest request = ApprovalRequest.of(run + "/" + place.step(), run, call.action(), Expiry.DEFAULT)
                .decidedBy(MAY_REFUND);
        Approval approval = approval(parts.approvals().register(request)); // of a repeat, what has become of it
        return switch (approval.state()) {
            case PENDING ->
                approval.expired()
                        ? refuse(place, "Nobody has decided in time.")
                        : place.commit(place.next().status(RunStatus.PAUSED)).status();
            case APPROVED ->
                approval.expired() ? refuse(place, "It was approved, and not made in time.") : dispatch(request);
            case REJECTED -> refuse(place, "It was rejected.");
            case WITHDRAWN -> refuse(place, "The request was withdrawn.");
            case CONSUMED -> throw new IllegalStateException(request.id() + " is consumed, and not by this step");
        };
    }

    /** Consumes the approval and announces the call, in one: no crash can come between the two. */
    private RunStatus dispatch(ApprovalRequest request) {
        var use = new ApprovalUse(request.id(), request.run(), request.digest(), place.step());
        Consumption answer = parts.approvals()
                .dispatch(ApprovedCall.of(use, tool.effects()), place.lease().fence());
        if (answer instanceof Consumption.Dispatched dispatched) { // and has moved the run's head on
            return send(place.at(dispatched.run()), 0, key(0));
        }
        if (answer instanceof Consumption.FenceLost) {
            throw new Place.Lost();
        }
        if (answer instanceof Consumption.NotEntered || answer instanceof Consumption.Mismatch) {
            throw new IllegalStateException(request.id() + ": " + answer);
        }
        return RunStatus.RUNNING; // expired or withdrawn since it was read: the next round reads that
    }

    /** The call is not made, and the model is told so. */
    static RunStatus refuse(Place place, String reason) {
        StepOutcome outcome = StepOutcome.failed(place.step(), json(reason));
        return place.commit(place.ended(outcome, Message.result(reason)).status(RunStatus.RUNNING))
                .status();
    }
    // end

    private static Approval approval(Registration answer) {
        if (answer instanceof Registration.Registered registered) {
            return registered.approval();
        }
        if (answer instanceof Registration.AlreadyRegistered already) {
            return already.approval();
        }
        throw new IllegalStateException("The approval's id stands for something else: " + answer);
    }

    private static String json(String text) {
        return Canonical.write("result", text);
    }

    private static String text(String json) {
        return String.valueOf(JsonText.read("result", json, JournalCommit.MAX_OUTPUT_BYTES));
    }
}
