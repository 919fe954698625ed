package io.holdfast.agent;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Micros;
import io.holdfast.lease.LeaseKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A part of a list that is ordered by the first save, oldest first.
 *
 * @param next where the page after this one begins; empty if this one was not full. Saves move nothing: no run is shown twice,
 *     and none that was in the list all the time is left out
 */
public record AgentPage(List<Line> lines, Optional<Place> next) {

    public AgentPage {
        lines = List.copyOf(lines);
    }

    /**
     * A run, without what it holds.
     *
     * @param phase as it is stored; that of an {@link AgentPhase} unless a newer release wrote it
     * @param held whether its lease was held, by the database's clock: who is at work needs no recovery
     */
    public record Line(String run, String phase, long revision, boolean held, Instant createdAt, Instant updatedAt) {}

    /** Behind which run to go on. */
    public record Place(Instant createdAt, String run) {

        public Place {
            createdAt = Micros.of("after", Given.value("after", createdAt));
            Identifier.text("after", run, 1, LeaseKey.MAX_ID_BYTES);
        }
    }
}
