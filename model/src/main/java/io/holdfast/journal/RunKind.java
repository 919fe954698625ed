package io.holdfast.journal;

/** What runs. */
public enum RunKind {
    WORKFLOW("workflow"),
    AGENT("agent");

    private final String wire;

    RunKind(String wire) {
        this.wire = wire;
    }

    /** As it is stored. */
    public String wire() {
        return wire;
    }
}
