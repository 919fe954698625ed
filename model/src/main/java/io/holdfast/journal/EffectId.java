package io.holdfast.journal;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.LeaseKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Names one effect of a step: a digest of where it belongs, so that every process that comes to the step again finds the same
 * id, and the same idempotency key for the outside, without asking anybody.
 *
 * @param hex SHA-256 of the canonical JSON array of scope, run, step key and index: 64 lower-case hex digits
 */
public record EffectId(String hex) {

    /** The highest index of an effect within its step. */
    public static final int MAX_INDEX = 999_999;

    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    public EffectId {
        if (!HEX.matcher(Given.value("effectId", hex)).matches()) {
            throw new InvalidValueException("effectId", "be 64 lower-case hex digits");
        }
    }

    /**
     * The id of an effect.
     *
     * @param runId 1 to 1,024 bytes of UTF-8 without control characters
     * @param index which of the step's effects, from 0 to {@link #MAX_INDEX}
     */
    public static EffectId of(Scope scope, String runId, StepKey step, int index) {
        Given.value("scope", scope);
        Identifier.text("runId", runId, 1, LeaseKey.MAX_ID_BYTES);
        Given.value("step", step);
        if (index < 0 || index > MAX_INDEX) {
            throw new InvalidValueException("index", "be 0 to " + MAX_INDEX);
        }
        String place = Canonical.write("effectId", List.of(scope.id(), runId, step.text(), index));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(place.getBytes(StandardCharsets.UTF_8));
            return new EffectId(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The idempotency key to send to the outside where the caller has none of its own: {@code nx-} and 32 hex digits. */
    public String idempotencyKey() {
        return "nx-" + hex.substring(0, 32);
    }

    /** The digits. */
    @Override
    public String toString() {
        return hex;
    }
}
