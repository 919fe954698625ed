package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/**
 * A unique or foreign key was violated that is not one of Holdfast's own; its own are never violated to ask a question. A foreign
 * key is an application's that refers to a row which was to be removed.
 */
public final class StateConflictException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public StateConflictException(String message, Map<String, String> details) {
        super(Code.STATE_CONFLICT, false, message, details);
    }
}
