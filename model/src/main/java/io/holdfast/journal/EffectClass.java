package io.holdfast.journal;

import io.holdfast.failure.InvalidValueException;
import org.jspecify.annotations.Nullable;

/** Whether what a step does may be done again when nobody knows whether it was done. */
public enum EffectClass {
    /** It changes nothing outside; it may be done as often as one likes. */
    PURE("pure"),
    /** Done twice under one key it is done once. */
    IDEMPOTENT("idempotent"),
    /** It must not be done again. What is assumed where nobody says. */
    NON_IDEMPOTENT("non_idempotent"),
    /** Somebody can be asked whether it was done. */
    RECONCILABLE("reconcilable");

    private final String wire;

    EffectClass(String wire) {
        this.wire = wire;
    }

    /** As it is stored. */
    public String wire() {
        return wire;
    }

    /**
     * What a module's manifest says of its effects: {@code pure}, {@code read}, {@code idempotent_write},
     * {@code non_idempotent_write}, or nothing.
     *
     * @throws InvalidValueException for any other text
     */
    public static EffectClass ofManifest(@Nullable String effects) {
        if (effects == null) {
            return NON_IDEMPOTENT;
        }
        return switch (effects) {
            case "pure", "read" -> PURE;
            case "idempotent_write" -> IDEMPOTENT;
            case "non_idempotent_write" -> NON_IDEMPOTENT;
            default ->
                throw new InvalidValueException("effects", "be pure, read, idempotent_write or non_idempotent_write");
        };
    }
}
