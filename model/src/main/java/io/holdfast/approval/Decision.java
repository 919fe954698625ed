package io.holdfast.approval;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import io.holdfast.codec.Prose;
import io.holdfast.failure.InvalidValueException;
import java.util.Locale;
import java.util.Optional;

/**
 * What a person, or who stands in for one, has decided, about the very call that was shown to them.
 *
 * @param verdict whether the call may be made
 * @param digest of the payload that was decided about
 * @param actor who decided; 1 to 128 bytes of UTF-8 without control characters
 * @param role as which; likewise. Must be the one that the request names, if it names one
 * @param reason why, cut to 1,000 characters; may be empty
 * @param answer what goes on with it: an answer to a question, edited inputs. JSON text of at most 1 MiB
 */
public record Decision(
        Verdict verdict, String digest, String actor, Optional<String> role, String reason, Optional<String> answer) {

    /** The longest reason, in code points. */
    public static final int MAX_REASON = 1_000;

    /** What can be decided. */
    public enum Verdict {
        APPROVED,
        REJECTED;

        private final String wire = name().toLowerCase(Locale.ROOT);

        /** The lower-case name that is stored. */
        public String wire() {
            return wire;
        }

        /**
         * The verdict with that stored name.
         *
         * @throws InvalidValueException if there is none; upper case is none
         */
        public static Verdict of(String wire) {
            for (Verdict verdict : values()) {
                if (verdict.wire.equals(wire)) {
                    return verdict;
                }
            }
            throw new InvalidValueException("verdict", "be approved or rejected");
        }
    }

    public Decision {
        Given.value("verdict", verdict);
        CallDigest.checked("digest", digest);
        Identifier.text("actor", actor, 1, ApprovalRequest.MAX_NAME_BYTES);
        Given.value("role", role).ifPresent(name -> Identifier.text("role", name, 1, ApprovalRequest.MAX_NAME_BYTES));
        reason = Prose.cut(Given.value("reason", reason), MAX_REASON);
        Given.value("answer", answer)
                .ifPresent(json -> JsonText.read("answer", json, ApprovalRequest.MAX_PAYLOAD_BYTES));
    }

    public static Decision approve(String digest, String actor) {
        return new Decision(Verdict.APPROVED, digest, actor, Optional.empty(), "", Optional.empty());
    }

    public static Decision reject(String digest, String actor, String reason) {
        return new Decision(Verdict.REJECTED, digest, actor, Optional.empty(), reason, Optional.empty());
    }

    /** The same, decided in this role. */
    public Decision as(String name) {
        return new Decision(verdict, digest, actor, Optional.of(Given.value("role", name)), reason, answer);
    }

    /** The same, with an answer. */
    public Decision answering(String json) {
        return new Decision(verdict, digest, actor, role, reason, Optional.of(Given.value("answer", json)));
    }

    /** Without reason and answer. */
    @Override
    public String toString() {
        return "Decision[verdict=" + verdict + ", digest=" + digest + ", actor=" + actor + ", role=" + role + "]";
    }
}
