package io.holdfast.repository;

import io.holdfast.approval.Consumption;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;

/** The answers of approvals, each as one of a bounded set of outcomes. */
final class ApprovalOutcomes {

    private ApprovalOutcomes() {}

    static Outcome of(Registration answer) {
        if (answer instanceof Registration.Registered) {
            return Outcome.DONE;
        }
        return answer instanceof Registration.AlreadyRegistered ? Outcome.REPEATED : Outcome.CONFLICT;
    }

    static Outcome of(Ruling answer) {
        if (answer instanceof Ruling.Decided) {
            return Outcome.DONE;
        } else if (answer instanceof Ruling.AlreadyDecided before) {
            return before.same() ? Outcome.REPEATED : Outcome.CONFLICT;
        } else if (answer instanceof Ruling.Expired || answer instanceof Ruling.Withdrawn) {
            return Outcome.TERMINAL;
        }
        return answer instanceof Ruling.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome of(Consumption answer) {
        if (answer instanceof Consumption.Consumed || answer instanceof Consumption.Dispatched) {
            return Outcome.DONE;
        } else if (answer instanceof Consumption.AlreadyConsumed before) {
            return before.same() ? Outcome.REPEATED : Outcome.CONFLICT;
        } else if (answer instanceof Consumption.FenceLost) {
            return Outcome.FENCED;
        } else if (answer instanceof Consumption.Undecided) {
            return Outcome.BUSY;
        } else if (answer instanceof Consumption.Mismatch || answer instanceof Consumption.NotEntered) {
            return Outcome.CONFLICT;
        }
        return answer instanceof Consumption.NotFound ? Outcome.NOT_FOUND : Outcome.TERMINAL;
    }

    static Outcome of(Withdrawal answer) {
        if (answer instanceof Withdrawal.Withdrawn) {
            return Outcome.DONE;
        } else if (answer instanceof Withdrawal.AlreadyWithdrawn) {
            return Outcome.REPEATED;
        }
        return answer instanceof Withdrawal.Settled ? Outcome.TERMINAL : Outcome.NOT_FOUND;
    }
}
