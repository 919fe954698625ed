package io.holdfast.codec;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * {@code sha256:} and the hex digest of a value's canonical text by RFC 8785 (JSON Canonicalization Scheme): keys sorted
 * by UTF-16 unit, numbers as ECMAScript writes them ({@code 2.0} is {@code 2}, {@code -0.0} is {@code 0}, {@code 1e21} is
 * {@code 1e+21}). Not the form of {@link Canonical}; never use one for the other.
 */
public final class Fingerprint {

    private static final BigInteger MAX_SAFE = BigInteger.valueOf((1L << 53) - 1);

    private static final JsonWriter.Numbers NUMBERS = new JsonWriter.Numbers() {
        @Override
        public void integer(StringBuilder out, BigInteger value) throws JsonWriter.Refused {
            // RFC 8785 knows doubles only: beyond this two integers could share one fingerprint.
            if (value.abs().compareTo(MAX_SAFE) > 0) {
                throw new JsonWriter.Refused("hold no integer beyond 2^53-1");
            }
            out.append(value);
        }

        @Override
        public void fraction(StringBuilder out, double finite) {
            ShortestDouble.ecmaScript(out, finite);
        }
    };

    private Fingerprint() {}

    /**
     * The fingerprint of a tree of the types that {@link Canonical#write(String, Object, int)} takes.
     *
     * @throws io.holdfast.failure.InvalidValueException as there; integers beyond 2^53-1 are refused as well
     */
    public static String of(String field, @Nullable Object tree) {
        return ofText(text(field, tree));
    }

    /** The text that {@link #of} digests. */
    public static String text(String field, @Nullable Object tree) {
        return new JsonWriter(field, Comparator.naturalOrder(), NUMBERS, Integer.MAX_VALUE).write(tree);
    }

    /** {@code sha256:} and the hex digest of the UTF-8 bytes of {@code text}, as it is. */
    public static String ofText(String text) {
        Given.value("text", text);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256:" + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
