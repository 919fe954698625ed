package io.holdfast.approval;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for: that one exact call may be made, once.
 *
 * @param id the approval's id, made by who asks; 1 to 1,024 bytes of UTF-8 without control characters
 * @param run the run that waits for it; likewise
 * @param payload the exact call, or the exact question, as JSON text of at most 1 MiB; kept byte for byte. What is decided and
 *     what is consumed must show the digest of these bytes
 * @param role who may decide: a decision must name this very role; 1 to 128 bytes. Empty: whoever can reach the store
 * @param expiry until when it can be decided and consumed
 */
public record ApprovalRequest(String id, String run, String payload, Optional<String> role, Expiry expiry) {

    /** The longest ids, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 1_024;

    /** The longest payload, in bytes of UTF-8; also the longest answer of a {@link Decision}. */
    public static final int MAX_PAYLOAD_BYTES = 1_048_576;

    /** The longest role and actor, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 128;

    public ApprovalRequest {
        Identifier.text("id", id, 1, MAX_ID_BYTES);
        Identifier.text("run", run, 1, MAX_ID_BYTES);
        JsonText.read("payload", payload, MAX_PAYLOAD_BYTES);
        Given.value("role", role).ifPresent(name -> Identifier.text("role", name, 1, MAX_NAME_BYTES));
        Given.value("expiry", expiry);
    }

    /** Of a call as plain values, which are kept as their {@link Canonical} text. Anybody's role may decide. */
    public static ApprovalRequest of(String id, String run, @Nullable Object call, Expiry expiry) {
        String payload = Canonical.write("payload", call, MAX_PAYLOAD_BYTES);
        return new ApprovalRequest(id, run, payload, Optional.empty(), expiry);
    }

    /** The same, to be decided only by who has this role. */
    public ApprovalRequest decidedBy(String name) {
        return new ApprovalRequest(id, run, payload, Optional.of(Given.value("role", name)), expiry);
    }

    /** The digest of the payload, which decisions and uses show. */
    public String digest() {
        return CallDigest.ofText(payload);
    }

    /** Without the payload. */
    @Override
    public String toString() {
        return "ApprovalRequest[id=" + id + ", run=" + run + ", role=" + role + ", expiry=" + expiry + "]";
    }
}
