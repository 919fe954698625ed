package io.holdfast.agent;

import io.holdfast.failure.InvalidValueException;
import java.util.Locale;

/** What an agent does next. */
public enum AgentPhase {
    /** It calls the model. */
    MODEL_NEXT,
    /** It makes the calls that the model asked for. */
    TOOLS_PENDING,
    /** Nothing, until somebody answers. */
    PAUSED,
    /** Nothing: it has come to its end, which only has to be told. */
    COMPLETED;

    // Locale.ROOT: in a Turkish locale, PENDING would become "pendıng".
    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The lower-case name that is stored. */
    public String wire() {
        return wire;
    }

    /** Whether recovery goes on with it. */
    public boolean isAtWork() {
        return this == MODEL_NEXT || this == TOOLS_PENDING;
    }

    /**
     * The phase with that stored name.
     *
     * @throws InvalidValueException if there is none; upper case is none
     */
    public static AgentPhase of(String wire) {
        for (AgentPhase phase : values()) {
            if (phase.wire.equals(wire)) {
                return phase;
            }
        }
        throw new InvalidValueException("phase", "be model_next, tools_pending, paused or completed");
    }
}
