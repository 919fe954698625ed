package io.holdfast;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The root of everything Holdfast throws. What a caller can lose in fair play (a race, a fence, a key) is never thrown:
 * it is a value. An exception means that something is broken, refused or unknown.
 *
 * <p>Messages are fixed texts with checked identifiers and numbers. Neither they nor {@link #details()} ever carry a
 * credential, a connection string, SQL or a payload, and the driver's own exception is never attached as a cause, because
 * its message may.
 */
public abstract class HoldfastException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What went wrong, in a form that a program can branch on. */
    public enum Code {
        /** An argument or a stored document breaks a documented limit or format. */
        INVALID_INPUT,
        /** A snapshot says it is of a format that this release does not read. */
        UNSUPPORTED_SCHEMA_VERSION,
        /** A workflow may not move that way. */
        INVALID_TRANSITION,
        /** A workflow has used up its attempts or events. */
        BUDGET_EXCEEDED,
        /** The database could not be reached, or failed in a way that has no code of its own. */
        STORE_UNAVAILABLE,
        /** A statement or a wait for a lock took longer than allowed and was given up; nothing was written. */
        STORE_TIMEOUT,
        /** The connection was lost when the answer to a write was due: it may or may not have happened. */
        OUTCOME_UNKNOWN,
        /** The tables are missing, damaged, older or newer than this release. */
        SCHEMA_MISMATCH,
        /** A unique key other than Holdfast's own was violated. */
        STATE_CONFLICT,
        /** The database refused the login or the privilege. */
        STORE_DENIED,
        /** A race was lost in a transaction that cannot go on; the whole transaction has to be repeated. */
        TRANSACTION_LOST,
        /** A statement met rivals' fresh writes too many times in a row; nothing was written. */
        CONTENTION,
        /** The call takes part in the caller's transaction, and there is none. */
        NO_TRANSACTION,
        /** A lease has been granted 2^63-1 times. */
        TOKENS_EXHAUSTED,
        /** A stored record is damaged, or of a newer release. */
        CORRUPT_RECORD,
        /** A jar that is needed is not there. */
        MISSING_MODULE
    }

    private final Code code;
    private final boolean retryable;
    private final Map<String, String> details;

    protected HoldfastException(Code code, boolean retryable, String message, Map<String, String> details) {
        super(Objects.requireNonNull(message));
        this.code = Objects.requireNonNull(code);
        this.retryable = retryable;
        this.details = java.util.Collections.unmodifiableMap(new TreeMap<>(details));
    }

    public Code code() {
        return code;
    }

    /** Whether the same call, sent again later and unchanged, has a chance. For a caller's transaction: the whole of it. */
    public boolean retryable() {
        return retryable;
    }

    /** The facts behind the message, sorted by name; safe to log. */
    public Map<String, String> details() {
        return details;
    }
}
