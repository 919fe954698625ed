package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import io.holdfast.codec.Prose;
import java.util.Optional;

/**
 * What somebody found out about an effect that was in doubt.
 *
 * @param finding what became of it
 * @param actor who found out: 1 to 1,024 bytes of UTF-8 without control characters
 * @param result what it came to: JSON of at most {@link JournalCommit#MAX_OUTPUT_BYTES}
 * @param reason why that is so, for people: cut to {@link #MAX_REASON} characters
 */
public record Resolution(Finding finding, String actor, Optional<String> result, Optional<String> reason) {

    /** The longest reason, in code points. */
    public static final int MAX_REASON = 1_024;

    /** What became of an effect. */
    public enum Finding {
        /** It has happened. */
        CONFIRMED("confirmed"),
        /** It has not happened, and may be done again. */
        NOT_APPLIED("not_applied"),
        /** It has failed. */
        FAILED("failed");

        private final String wire;

        Finding(String wire) {
            this.wire = wire;
        }

        /** As it is stored. */
        public String wire() {
            return wire;
        }
    }

    public Resolution {
        Given.value("finding", finding);
        Identifier.text("actor", actor, 1, 1_024);
        Given.value("result", result).ifPresent(json -> JsonText.read("result", json, JournalCommit.MAX_OUTPUT_BYTES));
        reason = Given.value("reason", reason).map(text -> Prose.cut(text, MAX_REASON));
    }

    /** One without result and reason. */
    public static Resolution of(Finding finding, String actor) {
        return new Resolution(finding, actor, Optional.empty(), Optional.empty());
    }

    /** The same with what the effect came to. */
    public Resolution withResult(String json) {
        return new Resolution(finding, actor, Optional.of(Given.value("result", json)), reason);
    }

    /** The same with a reason. */
    public Resolution withReason(String text) {
        return new Resolution(finding, actor, result, Optional.of(Given.value("reason", text)));
    }

    /** What became of it, and who says so; not the result. */
    @Override
    public String toString() {
        return finding + " by " + actor;
    }
}
