package io.holdfast.example.agent;

import io.holdfast.journal.RunStatus;

/** How {@link AgentLoop#work} came to its end. */
enum Ending {
    COMPLETED,
    FAILED,
    /** Somebody has to decide. Whoever does calls {@link AgentLoop#work} again. */
    PAUSED,
    /** Another process is at work on it, or was until a moment ago. */
    BUSY,
    /** The lease was lost on the way. */
    LOST;

    /** Of a run on which nothing more is to be done for now. */
    static Ending of(RunStatus status) {
        return switch (status) {
            case COMPLETED -> COMPLETED;
            case FAILED -> FAILED;
            case PAUSED -> PAUSED;
            case RUNNING, INTERRUPTED -> throw new IllegalArgumentException(status + " is no end");
        };
    }
}
