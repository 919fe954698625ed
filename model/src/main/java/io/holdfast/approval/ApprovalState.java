package io.holdfast.approval;

import io.holdfast.failure.InvalidValueException;
import java.util.Locale;

/** Where an approval stands. */
public enum ApprovalState {
    /** Nobody has decided: it waits for a person. */
    PENDING,
    /** Approved, and not consumed: about to be, or left behind by a crash. */
    APPROVED,
    /** Rejected. For good: no crash and no repeat makes anything else of it. */
    REJECTED,
    /** Approved, and consumed by one step. For good: whether that step's effect took place, its journal says. */
    CONSUMED,
    /** Taken back before it was consumed: by somebody, or because its time was over. For good. */
    WITHDRAWN;

    // Locale.ROOT: in a Turkish locale, PENDING would become "pendıng".
    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The lower-case name that is stored. */
    public String wire() {
        return wire;
    }

    /**
     * The state with that stored name.
     *
     * @throws InvalidValueException if there is none; upper case is none
     */
    public static ApprovalState of(String wire) {
        for (ApprovalState state : values()) {
            if (state.wire.equals(wire)) {
                return state;
            }
        }
        throw new InvalidValueException("state", "be pending, approved, rejected, consumed or withdrawn");
    }
}
