package io.holdfast.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A value as people read it, and as machines do. */
final class Cell {

    private Cell() {}

    /** Times in UTC to the second; what is not there as a dash, what is empty as two quotes. */
    static String text(@Nullable Object value) {
        if (value == null) {
            return "-";
        }
        if (value instanceof Instant time) {
            return time.truncatedTo(ChronoUnit.SECONDS).toString();
        }
        if (value instanceof Boolean flag) {
            return flag ? "yes" : "no";
        }
        if (value instanceof Map<?, ?> map) {
            return map.isEmpty()
                    ? "-"
                    : map.entrySet().stream()
                            .map(entry -> safe(entry.getKey() + "=" + entry.getValue()))
                            .collect(Collectors.joining(" "));
        }
        String text = value.toString();
        return text.isEmpty() ? "\"\"" : safe(text);
    }

    /** Times in UTC to the microsecond. */
    static @Nullable Object json(@Nullable Object value) {
        return value instanceof Instant time ? time.toString() : value;
    }

    /** What steers a terminal, or turns the direction of the text, is shown by its number. */
    static String safe(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            int type = Character.getType(point);
            if (type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR
                    || type == Character.SURROGATE) {
                safe.append("\\u{").append(Integer.toHexString(point)).append('}');
            } else {
                safe.appendCodePoint(point);
            }
        });
        return safe.toString();
    }
}
