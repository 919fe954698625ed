package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/** The database refused the login, the database or a privilege. Repeating does not help; an administrator does. */
public final class StoreDeniedException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public StoreDeniedException(String message, Map<String, String> details) {
        super(Code.STORE_DENIED, false, message, details);
    }
}
