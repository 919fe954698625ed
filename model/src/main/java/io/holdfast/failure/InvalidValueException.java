package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/** An argument breaks a documented rule. Names the field and the rule, never the value; nothing was written. */
public final class InvalidValueException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    /**
     * @param field the parameter or component, as its documentation calls it
     * @param rule what it has to be, with the limit, as it reads after "must": {@code be 1 to 128 characters long}
     */
    public InvalidValueException(String field, String rule) {
        super(Code.INVALID_INPUT, false, field + " must " + rule, Map.of("field", field, "rule", rule));
    }

    /** The parameter or component that was refused. */
    public String field() {
        return details().getOrDefault("field", "");
    }
}
