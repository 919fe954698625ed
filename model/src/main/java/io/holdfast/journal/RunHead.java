package io.holdfast.journal;

import io.holdfast.codec.Given;
import java.time.Instant;

/**
 * Where a run stands, without its state.
 *
 * @param id the run
 * @param status its status
 * @param revision counts its commits, from 1; a lease's grant, renewal and release do not change it
 * @param events the number of its last event, 0 if there is none
 * @param updatedAt when something was last committed, by the database's clock
 */
public record RunHead(String id, RunStatus status, long revision, long events, Instant updatedAt) {

    public RunHead {
        Given.value("id", id);
        Given.value("status", status);
        Given.value("updatedAt", updatedAt);
    }
}
