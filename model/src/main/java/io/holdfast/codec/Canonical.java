package io.holdfast.codec;

import java.math.BigInteger;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The canonical JSON text of snapshots and digests: the same value is the same bytes, on every machine and in every
 * release. Not the form of {@link Fingerprint}; never use one for the other.
 *
 * <ul>
 *   <li>Keys sorted by code point ({@link #KEY_ORDER}); no blanks; no trailing newline.
 *   <li>Escaped are only {@code "}, {@code \} and U+0000 to U+001F, the latter as {@code \b \t \n \f \r} or {@code \u001f}
 *       with lower-case digits. All else is written as it is.
 *   <li>Integers are plain digits of any number. A double or float is the shortest text that reads back as it, as Python's
 *       {@code repr} writes it: {@code 300.0}, {@code 0.0001}, {@code 5e-05}, {@code 1e+16}, {@code -0.0}. So 1 and 1.0
 *       are different texts. A {@code BigDecimal} is written as a double if that keeps its value, and refused otherwise.
 * </ul>
 */
public final class Canonical {

    /** The order of keys: by code point. {@link String#compareTo} is by UTF-16 unit, which puts U+1F600 before U+FFEE. */
    public static final Comparator<String> KEY_ORDER = Canonical::compare;

    private static final JsonWriter.Numbers NUMBERS = new JsonWriter.Numbers() {
        @Override
        public void integer(StringBuilder out, BigInteger value) throws JsonWriter.Refused {
            if (JsonText.isTooLong(value)) {
                throw new JsonWriter.Refused(JsonText.INTEGER_RULE);
            }
            out.append(value);
        }

        @Override
        public void fraction(StringBuilder out, double finite) {
            ShortestDouble.pythonic(out, finite);
        }
    };

    private Canonical() {}

    /** {@link #write(String, Object, int)} with no limit but that of a Java text. */
    public static String write(String field, @Nullable Object tree) {
        return write(field, tree, Integer.MAX_VALUE);
    }

    /**
     * The text of a tree of {@code Map}, {@code List}, {@code String}, {@code Number}, {@code Boolean} and {@code null}.
     *
     * @param field what the tree is called in errors
     * @param maxBytes the longest text that is accepted, in bytes of UTF-8
     * @throws io.holdfast.failure.InvalidValueException naming {@code field} and the place as a JSON pointer: a lone
     *     surrogate, NaN or an infinity, a key that is not a text, another type, more than {@link JsonText#MAX_DEPTH} levels
     */
    public static String write(String field, @Nullable Object tree, int maxBytes) {
        return new JsonWriter(field, KEY_ORDER, NUMBERS, maxBytes).write(tree);
    }

    /** Appends {@code text} in quotes. It must hold no lone surrogate: that is for the caller to check. */
    public static void quote(StringBuilder out, String text) {
        JsonWriter.quote(out, text);
    }

    /** Appends a double, which must be finite. */
    public static void number(StringBuilder out, double finite) {
        ShortestDouble.pythonic(out, finite);
    }

    private static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                // Surrogates stand for what lies above U+FFFF, so they sort after every other unit.
                boolean above = Character.isSurrogate(x);
                if (above != Character.isSurrogate(y)) {
                    return above ? 1 : -1;
                }
                return Character.compare(x, y);
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
