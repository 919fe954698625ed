package io.holdfast.state;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/**
 * Times in a snapshot: {@code 2026-01-31T09:30:00+00:00}, or with six digits of fraction. Written by hand, and what was
 * written is read by hand: a state has a time per event, and the general formatter took half of the time of reading one.
 */
final class SnapshotTime {

    private static final String UTC = "+00:00";
    private static final String WHOLE_SECONDS = "0000-00-00T00:00:00+00:00";
    private static final String WITH_FRACTION = "0000-00-00T00:00:00.000000+00:00";

    private static final DateTimeFormatter GENERAL = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .optionalStart()
            .appendOffset("+HH:MM:ss", "Z")
            .optionalEnd()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private SnapshotTime() {}

    static void write(StringBuilder out, Instant micros) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(micros.getEpochSecond(), micros.getNano(), ZoneOffset.UTC);
        padded(out, utc.getYear(), 4, '-');
        padded(out, utc.getMonthValue(), 2, '-');
        padded(out, utc.getDayOfMonth(), 2, 'T');
        padded(out, utc.getHour(), 2, ':');
        padded(out, utc.getMinute(), 2, ':');
        if (utc.getNano() == 0) {
            padded(out, utc.getSecond(), 2, '+');
        } else {
            padded(out, utc.getSecond(), 2, '.');
            padded(out, utc.getNano() / 1_000, 6, '+');
        }
        out.append(UTC, 1, UTC.length());
    }

    private static void padded(StringBuilder out, int number, int width, char after) {
        String digits = Integer.toString(number);
        out.append("000000", 0, width - digits.length()).append(digits).append(after);
    }

    /**
     * In whatever offset it was written; without any it is taken as UTC, never in the zone of this machine.
     *
     * @throws DateTimeException if it is not a time; its message has the text in it and must not be shown
     */
    static Instant read(String text) {
        boolean fraction = text.length() == WITH_FRACTION.length();
        if (text.endsWith(UTC) && matches(text, fraction ? WITH_FRACTION : WHOLE_SECONDS)) {
            return LocalDateTime.of(
                            number(text, 0, 4),
                            number(text, 5, 7),
                            number(text, 8, 10),
                            number(text, 11, 13),
                            number(text, 14, 16),
                            number(text, 17, 19),
                            fraction ? number(text, 20, 26) * 1_000 : 0)
                    .toInstant(ZoneOffset.UTC);
        }
        TemporalAccessor time = GENERAL.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return time instanceof OffsetDateTime offset
                ? offset.toInstant()
                : LocalDateTime.from(time).toInstant(ZoneOffset.UTC);
    }

    /** Whether {@code text} has a digit wherever {@code form} has one, and is equal everywhere else. */
    private static boolean matches(String text, String form) {
        if (text.length() != form.length()) {
            return false;
        }
        for (int i = 0; i < form.length(); i++) {
            char c = text.charAt(i);
            if (form.charAt(i) == '0' ? c < '0' || c > '9' : c != form.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int begin, int end) {
        return Integer.parseInt(text, begin, end, 10);
    }
}
