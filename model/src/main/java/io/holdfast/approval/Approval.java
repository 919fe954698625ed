package io.holdfast.approval;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.Optional;

/**
 * An approval as the database had it when it answered.
 *
 * @param payload as it was registered, byte for byte
 * @param digest of the payload
 * @param role that a decision must name
 * @param state where it stands
 * @param expired whether its time was over, by the database's clock; means nothing to one that is consumed or rejected
 * @param decision what was decided, also of one that was withdrawn afterwards
 * @param use the step that consumed it
 * @param withdrawn by whom and why it was taken back
 * @param createdAt when it was registered, by the database's clock
 * @param expiresAt when its time is over; empty: never
 */
public record Approval(
        String id,
        String run,
        String payload,
        String digest,
        Optional<String> role,
        ApprovalState state,
        boolean expired,
        Optional<Decided> decision,
        Optional<Use> use,
        Optional<Withdrawn> withdrawn,
        Instant createdAt,
        Optional<Instant> expiresAt) {

    public Approval {
        Given.value("id", id);
        Given.value("run", run);
        Given.value("payload", payload);
        Given.value("digest", digest);
        Given.value("role", role);
        Given.value("state", state);
        Given.value("decision", decision);
        Given.value("use", use);
        Given.value("withdrawn", withdrawn);
        Given.value("createdAt", createdAt);
        Given.value("expiresAt", expiresAt);
    }

    /** A decision and when it was made, by the database's clock. */
    public record Decided(Decision decision, Instant at) {}

    /**
     * The use of an approval.
     *
     * @param step the key of the step that consumed it
     * @param token of the lease under which it did
     * @param at when, by the database's clock: with the entry in the journal
     */
    public record Use(String step, long token, Instant at) {}

    /**
     * The end of an approval that was not used.
     *
     * @param by who took it back; empty: its time was over
     * @param at when, by the database's clock
     */
    public record Withdrawn(Optional<String> by, String reason, Instant at) {

        /** Without the reason. */
        @Override
        public String toString() {
            return "Withdrawn[by=" + by + ", at=" + at + "]";
        }
    }

    /** Without the payload. */
    @Override
    public String toString() {
        return "Approval[id=" + id + ", run=" + run + ", digest=" + digest + ", state=" + state + ", expired=" + expired
                + "]";
    }
}
