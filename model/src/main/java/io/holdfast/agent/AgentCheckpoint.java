package io.holdfast.agent;

import io.holdfast.codec.Given;
import java.time.Instant;

/**
 * A checkpoint as it is stored.
 *
 * @param run the run
 * @param revision counts the saves, from 1; what the next save has to name
 * @param state where the agent stands
 * @param createdAt when the run was first saved, by the database's clock
 * @param updatedAt when it was last saved, by the database's clock
 */
public record AgentCheckpoint(String run, long revision, AgentState state, Instant createdAt, Instant updatedAt) {

    public AgentCheckpoint {
        Given.value("run", run);
        Given.value("state", state);
        Given.value("createdAt", createdAt);
        Given.value("updatedAt", updatedAt);
    }
}
