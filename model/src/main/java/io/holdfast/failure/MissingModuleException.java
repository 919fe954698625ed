package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/** A jar that is needed is not on the class path or module path. Says which to add. */
public final class MissingModuleException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    /** @param artifact its Maven coordinates, {@code group:artifact} */
    public MissingModuleException(String artifact) {
        super(Code.MISSING_MODULE, false, "Add " + artifact + " to the application", Map.of("artifact", artifact));
    }

    /** The Maven coordinates of what is missing, {@code group:artifact}. */
    public String artifact() {
        return details().getOrDefault("artifact", "");
    }
}
