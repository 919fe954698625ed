package io.holdfast.example.agent;

import io.holdfast.journal.EffectClass;
import java.util.Map;
import java.util.Optional;

/**
 * Something that an agent can do to the world.
 *
 * @param effects what to do when nobody knows whether a call was made: make it again, or ask
 * @param needsApproval whether a person has to agree to the very call first
 */
record Tool(String name, EffectClass effects, boolean needsApproval, Outside outside) {

    Tool {
        if (effects != EffectClass.IDEMPOTENT && effects != EffectClass.RECONCILABLE) {
            throw new IllegalArgumentException(name + ": a call in doubt would have to wait for a person");
        }
    }

    Tool with(Outside other) {
        return new Tool(name, effects, needsApproval, other);
    }

    /** Another system, with books of its own. */
    interface Outside {

        /**
         * Does it.
         *
         * @param key names this call, and only this one, to the other side
         */
        String call(String key, Map<String, String> arguments);

        /**
         * What the call with that key came to; empty if there was none, and will be none: whoever asks gives the other side
         * time enough to have done what it was told.
         */
        Optional<String> find(String key);
    }
}
