package io.holdfast.workflow;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Optional;

/**
 * That somebody asked for a workflow to be cancelled.
 *
 * @param at when it was first asked for, by the database's clock
 * @param reason as the first who asked put it
 */
public record CancelRequest(Instant at, Optional<String> reason) {

    /** The longest reason, in code points; a longer one is cut. */
    public static final int MAX_REASON = 256;

    public CancelRequest {
        Given.value("at", at);
        Given.value("reason", reason);
    }
}
