package io.holdfast.lease;

/** Why a fence does not hold. */
public enum Loss {
    /** No lease of that key is held by anyone: it was released, or removed, or never granted. */
    NONE,
    /** It is held under another token: somebody took it over, or the owner acquired again. */
    SUPERSEDED,
    /** It is still the one that was granted, but its time has passed. */
    EXPIRED
}
