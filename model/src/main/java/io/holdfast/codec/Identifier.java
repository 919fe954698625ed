package io.holdfast.codec;

import io.holdfast.failure.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The forms that names may have. Each check returns the value or throws an {@link InvalidValueException} that names the
 * field and the form, never the value. Identifiers are compared byte by byte, in Java as in the database: two spellings
 * that look alike are two identifiers.
 */
public final class Identifier {

    private static final Pattern IDENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}");
    private static final Pattern FINGERPRINT = Pattern.compile("sha256:[0-9a-f]{64}");

    private Identifier() {}

    /** 1 to 128 ASCII letters, digits, {@code _ . -}, the first a letter or digit: ids of workflows and requests, owners. */
    public static String ident(String field, String value) {
        return matching(
                IDENT, field, value, "be 1 to 128 characters of A-Z a-z 0-9 _ . - and begin with a letter or digit");
    }

    /** As {@link #ident}, and {@code :} as well: idempotency keys. */
    public static String key(String field, String value) {
        return matching(
                KEY, field, value, "be 1 to 128 characters of A-Z a-z 0-9 _ . : - and begin with a letter or digit");
    }

    /** Whether the value is an {@link #ident}: one that is not finds nothing. */
    public static boolean isIdent(@Nullable String value) {
        return value != null && IDENT.matcher(value).matches();
    }

    /** Whether the value is a {@link #key}: one that is not finds nothing. */
    public static boolean isKey(@Nullable String value) {
        return value != null && KEY.matcher(value).matches();
    }

    /** {@code sha256:} and 64 lower-case hex digits. */
    public static String fingerprint(String field, String value) {
        return matching(FINGERPRINT, field, value, "be sha256: followed by 64 lower-case hex digits");
    }

    public static boolean isFingerprint(@Nullable String value) {
        return value != null && FINGERPRINT.matcher(value).matches();
    }

    /** Free text used as a name: {@code min} to {@code max} bytes of UTF-8, no control characters, no lone surrogates. */
    public static String text(String field, String value, int min, int max) {
        Given.value(field, value);
        if (!fits(value, min, max)) {
            throw new InvalidValueException(field, "be " + min + " to " + max + " bytes of UTF-8");
        }
        if (garbles(value)) {
            throw new InvalidValueException(field, "hold no control character and no lone surrogate");
        }
        return value;
    }

    /** Whether the value is a {@link #text} of that length. */
    public static boolean isText(@Nullable String value, int min, int max) {
        return value != null && fits(value, min, max) && !garbles(value);
    }

    private static boolean fits(String value, int min, int max) {
        // A char is at most three bytes; what is longer in chars than the limit in bytes need not be encoded to be
        // refused.
        return value.length() <= max && value.length() >= min && value.getBytes(StandardCharsets.UTF_8).length <= max;
    }

    private static boolean garbles(String value) {
        return value.codePoints()
                .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    }

    private static String matching(Pattern form, String field, String value, String rule) {
        if (!form.matcher(Given.value(field, value)).matches()) {
            throw new InvalidValueException(field, rule);
        }
        return value;
    }
}
