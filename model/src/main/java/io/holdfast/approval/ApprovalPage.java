package io.holdfast.approval;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Micros;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A part of a list that is ordered by registration, oldest first.
 *
 * @param next where the page after this one begins; empty if this one was not full. Approvals that come or go in between move
 *     nothing: none is shown twice, and none that was there all the time is left out
 */
public record ApprovalPage(List<Line> lines, Optional<Place> next) {

    public ApprovalPage {
        lines = List.copyOf(lines);
    }

    /**
     * An approval without its payload and its answer.
     *
     * @param state as it is stored; that of an {@link ApprovalState} unless a newer release wrote it
     * @param expired whether its time was over, by the database's clock
     * @param decidedBy who decided, if somebody has
     */
    public record Line(
            String id,
            String run,
            String digest,
            Optional<String> role,
            String state,
            boolean expired,
            Optional<String> decidedBy,
            Instant createdAt,
            Optional<Instant> expiresAt) {

        /** Whether it stood there. */
        public boolean is(ApprovalState asked) {
            return state.equals(Given.value("asked", asked).wire());
        }
    }

    /** Behind which approval to go on. */
    public record Place(Instant createdAt, String id) {

        public Place {
            createdAt = Micros.of("after", Given.value("after", createdAt));
            Identifier.text("after", id, 1, ApprovalRequest.MAX_ID_BYTES);
        }
    }
}
