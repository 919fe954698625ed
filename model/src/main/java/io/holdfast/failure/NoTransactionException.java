package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/** The call takes part in the caller's transaction, and none is active. Begin one, or use a facade that begins its own. */
public final class NoTransactionException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public NoTransactionException(String message, Map<String, String> details) {
        super(Code.NO_TRANSACTION, false, message, details);
    }
}
