package io.holdfast.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as people write it: 30d, 12h, 90m, 5s. */
final class Age implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})([smhd])");
    private static final String WRONG = "not a number and its unit, as 30d, 12h, 90m or 5s";

    @Override
    public Duration convert(String text) {
        Duration age = read(text);
        if (age == null) {
            throw new TypeConversionException(WRONG);
        }
        return age;
    }

    static Duration of(String option, String text) {
        Duration age = read(text);
        if (age == null) {
            throw Refusal.usage("Invalid value for option '" + option + "': " + WRONG);
        }
        return age;
    }

    private static @Nullable Duration read(String text) {
        Matcher age = FORM.matcher(text);
        if (!age.matches()) {
            return null;
        }
        long number = Long.parseLong(age.group(1));
        return switch (age.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
