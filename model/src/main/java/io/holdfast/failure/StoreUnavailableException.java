package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/**
 * The database could not be reached, is shutting down, is read-only or out of room, the pool gave no connection in time, or
 * the store was closed. Nothing was written. Not {@link #retryable()} only if the fault is none that is known to pass.
 */
public final class StoreUnavailableException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(boolean retryable, String message, Map<String, String> details) {
        super(Code.STORE_UNAVAILABLE, retryable, message, details);
    }
}
