package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.Reservation;
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

/** The answers of workflows, keys, leases, steps, runs and sessions, each as one of a bounded set of outcomes. */
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
