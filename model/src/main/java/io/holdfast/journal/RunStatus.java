package io.holdfast.journal;

/** Where a run stands. Any of the first three may become any other; the last two are final. */
public enum RunStatus {
    RUNNING("running"),
    INTERRUPTED("interrupted"),
    /** It waits for somebody, and nobody is at work on it: its lease has been given back. */
    PAUSED("paused"),
    COMPLETED("completed"),
    FAILED("failed");

    private final String wire;

    RunStatus(String wire) {
        this.wire = wire;
    }

    /** As it is stored. */
    public String wire() {
        return wire;
    }

    /** Whether nothing is ever committed to it again. */
    public boolean isFinal() {
        return this == COMPLETED || this == FAILED;
    }

    /** Whether who commits this status gives the lease back with it. */
    public boolean endsLease() {
        return isFinal() || this == PAUSED;
    }
}
