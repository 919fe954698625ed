package io.holdfast.repository;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings as text, read from an environment or from properties. Errors name the setting as it was given. */
final class GivenSettings {

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final String TIME_RULE = "be a number and its unit, as 500ms, 10s or 2m";

    private final Map<Setting, String> values = new EnumMap<>(Setting.class);
    private final Function<Setting, String> naming;

    private GivenSettings(Function<Setting, String> naming) {
        this.naming = naming;
    }

    /**
     * What begins with the prefix is meant for Holdfast, so a name that is not known is a mistake.
     *
     * @throws InvalidValueException naming the setting that is nearest to it
     */
    static GivenSettings of(String field, Map<String, String> source, String prefix, Function<Setting, String> naming) {
        GivenSettings given = new GivenSettings(naming);
        Given.value(field, source).forEach((name, value) -> {
            if (Given.value(field, name).startsWith(prefix)) {
                given.values.put(given.named(name), Given.value(name, value).strip());
            }
        });
        return given;
    }

    private Setting named(String name) {
        return Arrays.stream(Setting.values())
                .filter(setting -> naming.apply(setting).equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new InvalidValueException(name, "be a setting: did you mean " + nearest(name) + "?"));
    }

    private String nearest(String name) {
        return Arrays.stream(Setting.values())
                .map(naming)
                .min(Comparator.comparingInt(known -> distance(known, name.toLowerCase(Locale.ROOT))))
                .orElseThrow();
    }

    /** Characters to insert, remove or replace, whatever their case (Levenshtein). */
    private static int distance(String known, String given) {
        String wanted = known.toLowerCase(Locale.ROOT);
        int[] row = new int[given.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= wanted.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= given.length(); j++) {
                int replaced = diagonal + (wanted.charAt(i - 1) == given.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[given.length()];
    }

    Settings settings() {
        Settings settings = endpoint().map(Settings.DEFAULT::withEndpoint).orElse(Settings.DEFAULT);
        settings = with(settings, Setting.SCHEMA, Settings::withSchema);
        settings = with(settings, Setting.POOL_SIZE, (to, text) -> to.withPoolSize(whole(text)));
        settings = with(settings, Setting.CONNECT_TIMEOUT, (to, text) -> to.withConnectTimeout(time(text)));
        settings = with(settings, Setting.CHECKOUT_TIMEOUT, (to, text) -> to.withCheckoutTimeout(time(text)));
        settings = with(settings, Setting.COMMAND_TIMEOUT, (to, text) -> to.withCommandTimeout(time(text)));
        settings = with(settings, Setting.NAMED_STATEMENTS, (to, text) -> to.withNamedStatements(flag(text)));
        return with(settings, Setting.CREATE_TABLES, (to, text) -> to.withCreateTables(flag(text)));
    }

    private Optional<Endpoint> endpoint() {
        if (!values.containsKey(Setting.URL)) {
            for (Setting alone : new Setting[] {Setting.USER, Setting.PASSWORD}) {
                if (values.containsKey(alone)) {
                    throw new InvalidValueException(
                            naming.apply(Setting.URL), "be given: " + naming.apply(alone) + " alone names no database");
                }
            }
            return Optional.empty();
        }
        String user = values.get(Setting.USER);
        if (user == null) {
            throw new InvalidValueException(
                    naming.apply(Setting.USER), "be given: " + naming.apply(Setting.URL) + " alone names no user");
        }
        return Optional.of(asWritten(
                Setting.URL,
                () -> new Endpoint(
                        values.getOrDefault(Setting.URL, ""), user, values.getOrDefault(Setting.PASSWORD, ""))));
    }

    private Settings with(Settings settings, Setting setting, BiFunction<Settings, String, Settings> set) {
        String text = values.get(setting);
        return text == null ? settings : asWritten(setting, () -> set.apply(settings, text));
    }

    /** With the name as it was written in place of the component's. */
    private <T> T asWritten(Setting setting, Supplier<T> value) {
        try {
            return value.get();
        } catch (InvalidValueException e) {
            throw new InvalidValueException(naming.apply(setting), e.details().getOrDefault("rule", "be valid"));
        }
    }

    private static int whole(String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new InvalidValueException("number", "be a whole number");
        }
        return Integer.parseInt(text);
    }

    private static boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidValueException("flag", "be true or false");
        };
    }

    private static Duration time(String text) {
        Matcher matcher = TIME.matcher(text);
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofHours(number);
            };
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new InvalidValueException("time", TIME_RULE);
        }
    }
}
