package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Saving;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.Reservation;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Opened;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Renewal;
import io.holdfast.run.Append;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import io.holdfast.session.SessionSave;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import java.util.Collection;
import java.util.Optional;

/** Each answer of the contracts as one of a bounded set of outcomes. */
final class Outcomes {

    private Outcomes() {}

    static Outcome of(Creation answer) {
        if (answer instanceof Creation.Created) {
            return Outcome.DONE;
        }
        return answer instanceof Creation.AlreadyCreated ? Outcome.REPEATED : Outcome.CONFLICT;
    }

    static Outcome of(Update answer) {
        if (answer instanceof Update.Updated) {
            return Outcome.DONE;
        } else if (answer instanceof Update.AlreadyApplied) {
            return Outcome.REPEATED;
        } else if (answer instanceof Update.FenceLost) {
            return Outcome.FENCED;
        } else if (answer instanceof Update.Terminal) {
            return Outcome.TERMINAL;
        }
        return answer instanceof Update.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome of(Cancellation answer) {
        if (answer instanceof Cancellation.Requested) {
            return Outcome.DONE;
        } else if (answer instanceof Cancellation.AlreadyRequested) {
            return Outcome.REPEATED;
        }
        return answer instanceof Cancellation.Terminal ? Outcome.TERMINAL : Outcome.NOT_FOUND;
    }

    static Outcome of(Acquisition answer) {
        return answer instanceof Acquisition.Granted ? Outcome.GRANTED : Outcome.BUSY;
    }

    static Outcome of(Renewal answer) {
        if (answer instanceof Renewal.Renewed) {
            return Outcome.RENEWED;
        }
        return answer instanceof Renewal.Lost ? Outcome.FENCED : Outcome.DEFERRED;
    }

    /** The worst of them. */
    static Outcome ofAll(Collection<Renewal> answers) {
        if (answers.stream().anyMatch(Renewal.Lost.class::isInstance)) {
            return Outcome.FENCED;
        }
        return answers.stream().anyMatch(Renewal.Deferred.class::isInstance) ? Outcome.DEFERRED : Outcome.RENEWED;
    }

    static Outcome of(Reservation answer) {
        if (answer instanceof Reservation.New) {
            return Outcome.DONE;
        } else if (answer instanceof Reservation.InProgress) {
            return Outcome.BUSY;
        }
        return answer instanceof Reservation.Completed ? Outcome.REPEATED : Outcome.CONFLICT;
    }

    static Outcome of(Completion answer) {
        if (answer instanceof Completion.Done) {
            return Outcome.DONE;
        } else if (answer instanceof Completion.AlreadyCompleted before) {
            return before.same() ? Outcome.REPEATED : Outcome.CONFLICT;
        } else if (answer instanceof Completion.FenceLost) {
            return Outcome.FENCED;
        }
        return answer instanceof Completion.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome of(Begun answer) {
        if (answer instanceof Begun.New) {
            return Outcome.DONE;
        } else if (answer instanceof Begun.Resumed) {
            return Outcome.RESUMED;
        } else if (answer instanceof Begun.Completed) {
            return Outcome.REPEATED;
        }
        return answer instanceof Begun.Lost ? Outcome.FENCED : Outcome.CONFLICT;
    }

    static Outcome of(Finished answer) {
        if (answer instanceof Finished.Done) {
            return Outcome.DONE;
        } else if (answer instanceof Finished.AlreadyApplied || answer instanceof Finished.KeyCompleted) {
            return Outcome.REPEATED;
        } else if (answer instanceof Finished.FenceLost) {
            return Outcome.FENCED;
        } else if (answer instanceof Finished.Terminal) {
            return Outcome.TERMINAL;
        }
        return answer instanceof Finished.NotFound || answer instanceof Finished.KeyNotFound
                ? Outcome.NOT_FOUND
                : Outcome.CONFLICT;
    }

    static Outcome of(RunCreation answer) {
        if (answer instanceof RunCreation.Created) {
            return Outcome.DONE;
        }
        return answer instanceof RunCreation.AlreadyCreated ? Outcome.REPEATED : Outcome.CONFLICT;
    }

    static Outcome of(RunUpdate answer) {
        if (answer instanceof RunUpdate.Updated) {
            return Outcome.DONE;
        } else if (answer instanceof RunUpdate.AlreadyApplied) {
            return Outcome.REPEATED;
        } else if (answer instanceof RunUpdate.Forbidden) {
            return Outcome.TERMINAL;
        }
        return answer instanceof RunUpdate.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome of(Append answer) {
        return answer instanceof Append.Appended ? Outcome.DONE : Outcome.NOT_FOUND;
    }

    static Outcome of(SessionSave answer) {
        if (answer instanceof SessionSave.Saved) {
            return Outcome.DONE;
        }
        return answer instanceof SessionSave.AlreadySaved ? Outcome.REPEATED : Outcome.CONFLICT;
    }

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

    static Outcome of(Saved answer) {
        if (answer instanceof Saved.Done) {
            return Outcome.DONE;
        } else if (answer instanceof Saved.AlreadyApplied) {
            return Outcome.REPEATED;
        } else if (answer instanceof Saved.FenceLost) {
            return Outcome.FENCED;
        }
        return answer instanceof Saved.Over ? Outcome.TERMINAL : Outcome.CONFLICT;
    }

    static Outcome of(Ended answer) {
        if (answer instanceof Ended.Done) {
            return Outcome.DONE;
        }
        return answer instanceof Ended.FenceLost ? Outcome.FENCED : Outcome.REPEATED;
    }

    static Outcome of(CheckpointCreation answer) {
        if (answer instanceof CheckpointCreation.Created) {
            return Outcome.DONE;
        } else if (answer instanceof CheckpointCreation.AlreadyCreated) {
            return Outcome.REPEATED;
        }
        return answer instanceof CheckpointCreation.Taken ? Outcome.CONFLICT : Outcome.NOT_FOUND;
    }

    static Outcome of(Saving answer) {
        if (answer instanceof Saving.Saved) {
            return Outcome.DONE;
        } else if (answer instanceof Saving.AlreadySaved) {
            return Outcome.REPEATED;
        } else if (answer instanceof Saving.FenceLost) {
            return Outcome.FENCED;
        } else if (answer instanceof Saving.Finished) {
            return Outcome.TERMINAL;
        }
        return answer instanceof Saving.NotFound ? Outcome.NOT_FOUND : Outcome.CONFLICT;
    }

    static Outcome ofFound(Optional<?> answer) {
        return answer.isPresent() ? Outcome.DONE : Outcome.NOT_FOUND;
    }

    static Outcome thrown(Operation operation, Throwable error) {
        if (error instanceof HoldfastException ours) {
            return of(ours.code());
        }
        return operation == Operation.TRANSACTION ? Outcome.ROLLED_BACK : Outcome.ERROR;
    }

    private static Outcome of(HoldfastException.Code code) {
        return switch (code) {
            case INVALID_INPUT, UNSUPPORTED_SCHEMA_VERSION, INVALID_TRANSITION, BUDGET_EXCEEDED -> Outcome.INVALID;
            case STORE_UNAVAILABLE -> Outcome.UNAVAILABLE;
            case STORE_TIMEOUT -> Outcome.TIMEOUT;
            case OUTCOME_UNKNOWN -> Outcome.OUTCOME_UNKNOWN;
            case SCHEMA_MISMATCH -> Outcome.SCHEMA_MISMATCH;
            case STATE_CONFLICT, TOKENS_EXHAUSTED, CORRUPT_RECORD, MISSING_MODULE -> Outcome.ERROR;
            case STORE_DENIED -> Outcome.DENIED;
            case TRANSACTION_LOST, CONTENTION -> Outcome.RACE_LOST;
            case NO_TRANSACTION -> Outcome.NO_TRANSACTION;
        };
    }
}
