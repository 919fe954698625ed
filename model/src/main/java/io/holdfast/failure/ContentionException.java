package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/**
 * A statement came upon a rival's fresh write again and again and was given up after its third repetition. It wrote
 * nothing, and a caller's transaction stays usable; send the call again after a pause.
 */
public final class ContentionException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public ContentionException(String operation) {
        super(Code.CONTENTION, true, operation + " kept meeting rivals' fresh writes", Map.of("operation", operation));
    }
}
