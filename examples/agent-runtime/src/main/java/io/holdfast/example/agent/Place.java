package io.holdfast.example.agent;

import io.holdfast.journal.Committed;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.repository.KeptLease;

// snippet: place
/** Where in a run a round is, and how it goes on from there. */
record Place(ExecutionJournal journal, KeptLease lease, RunHead head, Transcript said, StepKey step) {

    /** The lease is another's: nothing that this process does counts any more. */
    static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    JournalCommit.Builder next() {
        return JournalCommit.to(head);
    }

    /** With the step's outcome, and what is said of it. */
    JournalCommit.Builder ended(StepOutcome outcome, Message message) {
        return next().outcome(outcome).state(said.with(message).json());
    }

    /** Writes it, or throws. What pauses or ends the run gives the lease back: the keeper must not take that for a loss. */
    Place commit(JournalCommit.Builder builder) {
        JournalCommit commit = builder.build();
        if (commit.status().filter(RunStatus::endsLease).isPresent()) {
            lease.stopKeeping();
        }
        Committed answer = journal.commit(lease.fence(), commit);
        if (answer instanceof Committed.Done done) {
            return at(done.head());
        }
        if (answer instanceof Committed.AlreadyApplied already) {
            return at(already.head());
        }
        if (answer instanceof Committed.FenceLost) {
            throw new Lost();
        }
        // Nobody else writes under this lease, and nothing else is written at this place.
        throw new IllegalStateException("The journal does not take it: " + answer);
    }

    Place at(RunHead next) {
        return new Place(journal, lease, next, said, step);
    }

    RunStatus status() {
        return head.status();
    }
}
// end
