package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/**
 * The connection was lost when the answer to a write was due: it may have happened or not.
 *
 * <p>Send the same call again: every write recognises its own repetition (an update answers <em>already applied</em>, a
 * creation <em>already created</em>, a completed key <em>already completed</em>, and an acquire by the same owner is granted with
 * a higher token). Or read what is stored, and decide.
 */
public final class OutcomeUnknownException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public OutcomeUnknownException(String message, Map<String, String> details) {
        super(Code.OUTCOME_UNKNOWN, true, message, details);
    }
}
