package io.holdfast.agent;

import io.holdfast.lease.Loss;

/** The answer to a finish. Only {@link Done} has written something. */
public sealed interface Ended {

    /** Finished now, by this call. */
    record Done() implements Ended {}

    /** It was finished or purged before. */
    record AlreadyOver(AgentStatus status) implements Ended {}

    /** The run's lease is not held under that fence. */
    record FenceLost(Loss reason) implements Ended {}
}
