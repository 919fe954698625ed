package io.holdfast.codec;

/** What Java's UTF-16 does not answer directly: lengths in code points, lone surrogates, sizes in UTF-8. */
public final class Unicode {

    private Unicode() {}

    /** Whether {@code text} is longer than {@code limit} code points. */
    public static boolean exceeds(String text, int limit) {
        return text.length() > limit && text.codePointCount(0, text.length()) > limit;
    }

    /** The index of the first lone surrogate, or -1 if {@code text} is Unicode text. */
    public static int loneSurrogate(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                continue;
            }
            if (Character.isLowSurrogate(c) || i + 1 == length || !Character.isLowSurrogate(text.charAt(i + 1))) {
                return i;
            }
            i++;
        }
        return -1;
    }

    /** How many bytes {@code text} has in UTF-8; a lone surrogate counts as three. */
    public static long utf8Length(CharSequence text) {
        long bytes = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }
}
