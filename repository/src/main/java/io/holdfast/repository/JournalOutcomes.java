package io.holdfast.repository;

import io.holdfast.journal.Committed;
import io.holdfast.journal.Opened;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;

/** The answers of a journal and of the leases of its runs, each as one of a bounded set of outcomes. */
final class JournalOutcomes {

    private JournalOutcomes() {}

    static Outcome of(Opened answer) {
        if (answer instanceof Opened.Done) {
            return Outcome.DONE;
        }
        return answer instanceof Opened.Busy ? Outcome.BUSY : Outcome.CONFLICT;
    }

    static Outcome of(RunClaim answer) {
        if (answer instanceof RunClaim.Granted) {
            return Outcome.GRANTED;
        } else if (answer instanceof RunClaim.Busy) {
            return Outcome.BUSY;
        } else if (answer instanceof RunClaim.Finished) {
            return Outcome.TERMINAL;
        }
        return answer instanceof RunClaim.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome of(Committed answer) {
        if (answer instanceof Committed.Done) {
            return Outcome.DONE;
        } else if (answer instanceof Committed.AlreadyApplied) {
            return Outcome.REPEATED;
        } else if (answer instanceof Committed.FenceLost) {
            return Outcome.FENCED;
        } else if (answer instanceof Committed.Finished) {
            return Outcome.TERMINAL;
        }
        return answer instanceof Committed.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome of(Resolved answer) {
        if (answer instanceof Resolved.Done) {
            return Outcome.DONE;
        } else if (answer instanceof Resolved.AlreadyResolved) {
            return Outcome.REPEATED;
        } else if (answer instanceof Resolved.FenceLost) {
            return Outcome.FENCED;
        } else if (answer instanceof Resolved.Finished) {
            return Outcome.TERMINAL;
        }
        return answer instanceof Resolved.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }
}
