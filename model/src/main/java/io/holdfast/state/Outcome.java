package io.holdfast.state;

import io.holdfast.codec.Fingerprint;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended, as its caller was told. Its {@link #fingerprint} is what a completed idempotency key keeps: the
 * same request, asked again, can be answered with proof of the same outcome.
 *
 * @param requestId 1 to 128 characters ({@link Identifier#ident})
 * @param workflowId the same form; empty if no workflow was begun
 * @param resultFingerprint of the result, if there is one
 * @param errorCode what failed; the form of an id
 */
public record Outcome(
        Status status,
        String requestId,
        Optional<String> workflowId,
        Optional<String> resultFingerprint,
        Optional<String> errorCode) {

    /** The public outcome of a request; not the status of a workflow. */
    public enum Status {
        SUCCEEDED,
        FAILED,
        REJECTED,
        CLARIFICATION,
        NOT_CONFIGURED
    }

    public Outcome {
        Given.value("status", status);
        Identifier.ident("requestId", requestId);
        Given.value("workflowId", workflowId).ifPresent(id -> Identifier.ident("workflowId", id));
        Given.value("resultFingerprint", resultFingerprint)
                .ifPresent(fingerprint -> Identifier.fingerprint("resultFingerprint", fingerprint));
        Given.value("errorCode", errorCode).ifPresent(code -> Identifier.ident("errorCode", code));
    }

    public static Outcome succeeded(String requestId, String workflowId, String resultFingerprint) {
        return new Outcome(
                Status.SUCCEEDED,
                requestId,
                Optional.of(Given.value("workflowId", workflowId)),
                Optional.of(Given.value("resultFingerprint", resultFingerprint)),
                Optional.empty());
    }

    public static Outcome failed(String requestId, String workflowId, String errorCode) {
        return new Outcome(
                Status.FAILED,
                requestId,
                Optional.of(Given.value("workflowId", workflowId)),
                Optional.empty(),
                Optional.of(Given.value("errorCode", errorCode)));
    }

    /** {@code sha256:} and the digest of the five fields by RFC 8785, an empty one as null. */
    public String fingerprint() {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("error_code", errorCode.orElse(null));
        fields.put("request_id", requestId);
        fields.put("result_fingerprint", resultFingerprint.orElse(null));
        fields.put("status", status.name().toLowerCase(Locale.ROOT));
        fields.put("workflow_id", workflowId.orElse(null));
        return Fingerprint.of("outcome", fields);
    }
}
