package io.holdfast.journal;

/** What is known of an effect. */
public enum EffectStatus {
    /** It was sent, or is about to be. */
    PENDING("pending"),
    /** It is known to have happened. */
    CONFIRMED("confirmed"),
    /** Nobody knows whether it happened, until somebody finds out. */
    INDETERMINATE("indeterminate"),
    /** Somebody found out. */
    RESOLVED("resolved");

    private final String wire;

    EffectStatus(String wire) {
        this.wire = wire;
    }

    /** As it is stored. */
    public String wire() {
        return wire;
    }
}
