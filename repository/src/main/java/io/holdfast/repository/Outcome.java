package io.holdfast.repository;

import java.util.Locale;

/** How an observed operation ended: by an answer, or by what it threw. */
public enum Outcome {
    /** Written, found, listed or removed as asked. */
    DONE,
    /** A lease was granted. */
    GRANTED,
    /** A lease, or several, renewed. */
    RENEWED,
    /** Of several leases none was lost, but one was locked and not renewed this time. */
    DEFERRED,
    /** Somebody else is at it: the lease is held, or the key is reserved. */
    BUSY,
    /** The step's key was reserved before, and the step not finished: it is done again. */
    RESUMED,
    /** It had been done before, and nothing was written. */
    REPEATED,
    /** The lease is not held under the fence that was shown: refused. Of several leases, one was lost. */
    FENCED,
    /** Somebody else came first: the revision, the status, the history, the id or the key is not as it was read. */
    CONFLICT,
    /** The workflow has ended already, or the run has a status that the change may not follow on. */
    TERMINAL,
    /** There is no such row. */
    NOT_FOUND,
    /** The application's code threw, and its transaction was rolled back. */
    ROLLED_BACK,
    /** An argument or a stored document broke a limit. */
    INVALID,
    /** Too slow, or a lock waited for too long. */
    TIMEOUT,
    /** The database or a connection could not be had. */
    UNAVAILABLE,
    /** The connection was lost when the answer was due: it may have been written or not. */
    OUTCOME_UNKNOWN,
    /** A race was lost again and again, or one that ended the caller's transaction. */
    RACE_LOST,
    /** The login or a privilege was refused. */
    DENIED,
    /** The tables are not as this release needs them. */
    SCHEMA_MISMATCH,
    /** A joining facade was called outside a transaction. */
    NO_TRANSACTION,
    /** Anything else that was thrown. */
    ERROR;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** As it is named in metrics and recordings. */
    public String label() {
        return label;
    }
}
