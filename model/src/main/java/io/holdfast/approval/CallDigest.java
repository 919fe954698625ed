package io.holdfast.approval;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Fingerprint;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an approval is bound to: SHA-256 of the {@link Canonical} text, as 64 lower-case hex digits. Equal digests are equal
 * calls, and anything else about the call, be it 1 for 1.0, is another call.
 */
public final class CallDigest {

    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
    private static final int PREFIX = "sha256:".length();

    private CallDigest() {}

    /** Of plain values, as {@link Canonical#write(String, Object)} takes them. */
    public static String of(@Nullable Object call) {
        return ofText(Canonical.write("call", call, ApprovalRequest.MAX_PAYLOAD_BYTES));
    }

    /** Of a text, byte for byte. */
    public static String ofText(String text) {
        return Fingerprint.ofText(text).substring(PREFIX);
    }

    /**
     * Of one action of an agent: {@code tool}, {@code arguments}, and {@code scope} if there is one.
     *
     * @param scope in which the tool acts; null: not named, which is another action than naming none
     */
    public static String ofAction(String tool, @Nullable Object arguments, @Nullable Object scope) {
        Map<String, @Nullable Object> action = new LinkedHashMap<>();
        action.put("tool", Given.value("tool", tool));
        action.put("arguments", arguments);
        if (scope != null) {
            action.put("scope", scope);
        }
        return of(action);
    }

    /** Of what is decided about one action: {@code run_id}, {@code approval_id} and {@code action_digest}. */
    public static String ofDecision(String run, String approval, String actionDigest) {
        return of(Map.of(
                "run_id", Identifier.text("run", run, 1, ApprovalRequest.MAX_ID_BYTES),
                "approval_id", Identifier.text("approval", approval, 1, ApprovalRequest.MAX_ID_BYTES),
                "action_digest", checked("actionDigest", actionDigest)));
    }

    static String checked(String field, String digest) {
        if (!HEX.matcher(Given.value(field, digest)).matches()) {
            throw new InvalidValueException(field, "be 64 lower-case hex digits");
        }
        return digest;
    }
}
