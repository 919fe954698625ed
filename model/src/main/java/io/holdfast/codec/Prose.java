package io.holdfast.codec;

/**
 * Text for people: error texts, titles, reasons. It is never refused, because the work it tells of is done and must be
 * recorded: what cannot be stored, or would garble a log, is replaced, and what is too long is cut. Not for anything that
 * is compared: two texts can become one.
 */
public final class Prose {

    private static final char REPLACEMENT = '\uFFFD';

    private Prose() {}

    /**
     * {@code text} with U+FFFD in place of every control character (U+0000, line ends and tabs among them) and every lone
     * surrogate, cut to {@code maxCodePoints}.
     */
    public static String cut(String text, int maxCodePoints) {
        Given.value("text", text);
        int end = Unicode.exceeds(text, maxCodePoints) ? text.offsetByCodePoints(0, maxCodePoints) : text.length();
        StringBuilder clean = new StringBuilder(end);
        for (int i = 0; i < end; ) {
            int c = text.codePointAt(i);
            boolean bad = Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
            clean.appendCodePoint(bad ? REPLACEMENT : c);
            i += Character.charCount(c);
        }
        return clean.toString();
    }
}
